import { type Json, type JsonObject, isJsonObject } from '../json/json.ts';
import type { Documents, LoadedDocument } from '../load/documents.ts';
import { escapeMember } from '../json/pointer.ts';

/**
 * Removes what `publishDocuments` has added and marked with `x-countersign-derived-from`. Published documents then
 * equal the contract that they were published from.
 */
export function withoutDerived(documents: Documents): Documents {
  const { openapi, asyncapi } = documents;
  return {
    ...documents,
    ...(openapi === undefined ? {} : { openapi: restore(openapi) }),
    ...(asyncapi === undefined ? {} : { asyncapi: restore(asyncapi) }),
  };
}

function restore(document: LoadedDocument): LoadedDocument {
  const root = withoutSchemas(withoutWebhooks(document.root));
  return root === document.root ? document : { ...document, root };
}

function withoutWebhooks(root: JsonObject): JsonObject {
  const { webhooks, ...rest } = root;
  if (!isJsonObject(webhooks)) return root;
  const kept = Object.entries(webhooks).filter(
    ([, item]) =>
      !isJsonObject(item) ||
      !Object.values(item).some((operation) => derivedFrom(operation)?.startsWith('asyncapi#')),
  );
  if (kept.length === Object.keys(webhooks).length) return root;
  return kept.length === 0 ? rest : { ...rest, webhooks: Object.fromEntries(kept) };
}

/** Removes derived schemas; a reference to wire formats becomes a reference to the schema that they are formats of. */
function withoutSchemas(root: JsonObject): JsonObject {
  const components = root['components'];
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  if (!isJsonObject(components) || !isJsonObject(schemas)) return root;
  const named = Object.entries(schemas).map(([name, schema]) => ({
    name,
    reference: `#/components/schemas/${escapeMember(name)}`,
    from: derivedFrom(schema),
  }));
  const own = new Set(named.filter(({ from }) => from === undefined).map((one) => one.reference));
  const origins = new Map(
    named.flatMap(({ reference, from }) =>
      from !== undefined && own.has(from) ? [[reference, from]] : [],
    ),
  );
  const without = (removed: (one: (typeof named)[number]) => boolean): JsonObject => {
    const names = new Set(named.filter(removed).map(({ name }) => name));
    if (names.size === 0) return root;
    const kept = Object.entries(schemas).filter(([name]) => !names.has(name));
    return { ...root, components: { ...components, schemas: Object.fromEntries(kept) } };
  };
  const isWire = ({ reference }: { readonly reference: string }): boolean => origins.has(reference);
  // The payloads that only webhooks refer to.
  const isPayload = ({ from }: { readonly from: string | undefined }): boolean =>
    from?.startsWith('asyncapi#') === true;
  const rest = without((one) => isWire(one) || isPayload(one));
  if (rest === root) return root;
  const text = JSON.stringify(rest);
  const isUsed = named.some(
    (one) => isPayload(one) && text.includes(JSON.stringify(one.reference)),
  );
  return replaceReferences(isUsed ? without(isWire) : rest, origins);
}

function replaceReferences(value: JsonObject, origins: ReadonlyMap<string, string>): JsonObject {
  const replace = (inner: Json | undefined): Json | undefined => {
    if (Array.isArray(inner)) return inner.map((item: Json) => replace(item) ?? item);
    return isJsonObject(inner) ? replaceReferences(inner, origins) : inner;
  };
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [
      member,
      member === '$ref' && typeof inner === 'string'
        ? (origins.get(inner) ?? inner)
        : replace(inner),
    ]),
  );
}

function derivedFrom(value: Json | undefined): string | undefined {
  const from = isJsonObject(value) ? value[derivedKey] : undefined;
  return typeof from === 'string' ? from : undefined;
}

/** The extension that states what a schema or a webhook of a published document is derived from. */
export const derivedKey = 'x-countersign-derived-from';
