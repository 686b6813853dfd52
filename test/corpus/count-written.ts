import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';
import type { Documents } from '../../generator/documents/documents.ts';
import type { Counts } from './record.ts';

/** What a document has to be generated from, counted without the model that is made of it. */
export function countWritten({
  openapi,
  asyncapi,
}: Documents): Pick<Counts, 'operations' | 'webhooks' | 'callbacks'> {
  const root = openapi?.root;
  const paths = operationsBelow(root, root?.['paths']);
  const webhooks = [root?.['webhooks'], root?.['x-webhooks']].flatMap((map) =>
    operationsBelow(root, map),
  );
  const callbacks = [...paths, ...webhooks].flatMap(({ operation }) =>
    entriesOf(operation['callbacks']).flatMap(([name, callback]) =>
      operationsBelow(root, resolve(root, callback)).map((inner) => ({ ...inner, key: name })),
    ),
  );
  // What is written twice under one name is one notification.
  const distinct = new Set(
    [...webhooks, ...callbacks].map((operation) => JSON.stringify(operation)),
  );
  const distinctWebhooks = new Set(webhooks.map((operation) => JSON.stringify(operation)));
  const sent = entriesOf(asyncapi?.root['operations'])
    .map(([, operation]) => resolve(asyncapi?.root, operation))
    .filter((operation) => isJsonObject(operation) && operation['action'] === 'send');
  return {
    operations: paths.length,
    webhooks: distinctWebhooks.size + sent.length,
    callbacks: distinct.size - distinctWebhooks.size,
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function operationsBelow(
  root: JsonObject | undefined,
  pathItems: Json | undefined,
): readonly { readonly key: string; readonly method: string; readonly operation: JsonObject }[] {
  if (!isJsonObject(pathItems)) return [];
  return Object.entries(pathItems).flatMap(([key, pathItem]) => {
    const item = resolve(root, pathItem);
    if (key.startsWith('x-') || !isJsonObject(item)) return [];
    return methods.flatMap((method) => {
      const operation = item[method];
      return isJsonObject(operation) ? [{ key, method, operation }] : [];
    });
  });
}

function entriesOf(map: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return isJsonObject(map) ? Object.entries(map) : [];
}

function resolve(root: JsonObject | undefined, value: Json | undefined): Json | undefined {
  let here = value;
  for (let steps = 0; steps < 20; steps += 1) {
    const reference = isJsonObject(here) ? here['$ref'] : undefined;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return here;
    here = reference
      .slice(2)
      .split('/')
      .map((member) => decodeURIComponent(member).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json | undefined>(
        (at, member) => (isJsonObject(at) && Object.hasOwn(at, member) ? at[member] : undefined),
        root,
      );
  }
  return undefined;
}
