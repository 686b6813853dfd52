import { diff as diffAsyncapi } from '@asyncapi/diff';
import { apiCompare } from 'api-smart-diff';
import { filesOf, type Draft, type Mutation } from './parcels.ts';

/** The verdict of another tool on a change: it breaks, it does not, or the tool has no opinion. */
export type Opinion = 'breaks' | 'keeps' | 'none';

/** What api-smart-diff says of the calls: values that are answered are taken out, so that only what is sent differs. */
export function askAboutCalls(after: Mutation, before: Mutation = {}): Opinion {
  const { diffs } = apiCompare(callsOf(before), callsOf(after));
  return opinionOf(diffs.map(({ type }) => type));
}

/** What @asyncapi/diff says of the notifications, dereferenced as it wants them. */
export function askAboutNotifications(after: Mutation, before: Mutation = {}): Opinion {
  const output = diffAsyncapi(notificationsOf(before), notificationsOf(after));
  const report: unknown = JSON.parse(JSON.stringify(output.getOutput()));
  const { changes } = report as { readonly changes: readonly { readonly type: string }[] };
  return opinionOf(changes.map(({ type }) => type));
}

function opinionOf(types: readonly string[]): Opinion {
  if (types.includes('breaking')) return 'breaks';
  return types.includes('non-breaking') || types.includes('annotation') ? 'keeps' : 'none';
}

function callsOf(mutation: Mutation): object {
  const { document, thing } = documentsOf(mutation, 'openapi.yaml');
  document.components.schemas.Thing = thing;
  const [path] = Object.keys(document.paths).filter((key) => key.includes('/things/'));
  const put = Object.values<Draft>(document.paths[path ?? ''])[0];
  if (put?.responses['200'] !== undefined) delete put.responses['200'].content['application/json'];
  return resolved(document, (reference) =>
    reference === './schemas/Thing.yaml' ? thing : undefined,
  );
}

function notificationsOf(mutation: Mutation): object {
  const { document, thing } = documentsOf(mutation, 'asyncapi.yaml');
  const find = (reference: string): Draft => {
    if (reference === './schemas/Thing.yaml') return thing;
    return reference
      .slice(2)
      .split('/')
      .reduce((at: Draft, step) => at?.[step], document);
  };
  return resolved(document, find);
}

function documentsOf(mutation: Mutation, name: string): { document: Draft; thing: Draft } {
  const files = filesOf(mutation);
  const parse = (file: string): Draft => JSON.parse(files[file] ?? 'null');
  return { document: parse(name), thing: parse('schemas/Thing.yaml') };
}

function resolved(value: Draft, find: (reference: string) => Draft): Draft {
  if (Array.isArray(value)) return value.map((item) => resolved(item, find));
  if (typeof value !== 'object' || value === null) return value;
  const target = typeof value.$ref === 'string' ? find(value.$ref) : undefined;
  if (target !== undefined) return resolved(target, find);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolved(item, find)]),
  );
}
