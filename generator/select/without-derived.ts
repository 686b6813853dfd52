import type { Cursor } from '../json/cursor.ts';
import { mapMembers, mapReferences } from '../json/map-members.ts';
import { type Pointer, pointerDocument } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { rootsOf } from '../documents/places.ts';
import { prune } from './prune.ts';
import { unreachedParts } from './reach.ts';
import { replaceRoots } from './replace-roots.ts';

/** The extension that states what a schema or a webhook of a published document is derived from. */
export const derivedKey = 'x-countersign-derived-from';

/** The extension for what a published document says about a label that open ledger entries decide. */
export const noteKey = 'x-countersign-note';

/**
 * Removes what `publishDocuments` has added: notes, and what it marked with `x-countersign-derived-from`. Published
 * documents then equal the contract that they were published from.
 */
export function withoutDerived(published: Documents): Documents {
  const notes = rootsOf(published).flatMap(notesIn);
  const documents = notes.length === 0 ? published : prune(published, notes);
  const roots = rootsOf(documents);
  const webhooks = roots.flatMap(derivedWebhooks);
  const schemas = roots.flatMap((root) => root.entries('components', 'schemas'));
  const derived = new Map(
    schemas.flatMap(([, schema]) => {
      const from = schema.text(derivedKey);
      return from === undefined ? [] : [[schema.pointer, from] as const];
    }),
  );
  if (webhooks.length + derived.size === 0) return documents;
  const schemaPointers = new Set(schemas.map(([, { pointer }]) => pointer));
  const wireFormats = new Map(
    [...derived].filter(([pointer, from]) => {
      const origin = toPlace(pointer, from);
      return schemaPointers.has(origin) && !derived.has(origin);
    }),
  );
  const restored = replaceRoots(documents, ({ root, pointer }) =>
    mapMembers(root, (value) =>
      mapReferences(value, (reference) => {
        return wireFormats.get(toPlace(pointer, reference)) ?? reference;
      }),
    ),
  );
  const rest = prune(restored, [...webhooks, ...wireFormats.keys()]);
  const isPayload = (place: Pointer): boolean =>
    derived.get(place)?.startsWith('asyncapi#') === true;
  const neededParts = unreachedParts(rest).filter((part) => !isPayload(part));
  return prune(rest, unreachedParts(rest, neededParts));
}

/** Returns the notes of the channels and operations of an AsyncAPI document. */
function notesIn(root: Cursor): readonly Pointer[] {
  return [...root.entries('channels'), ...root.entries('operations')]
    .map(([, at]) => at.follow().child(noteKey))
    .flatMap(({ pointer, value }) => (value === undefined ? [] : [pointer]));
}

/** Returns the webhooks of a document that are derived from messages, or `webhooks` if all are. */
function derivedWebhooks(root: Cursor): readonly Pointer[] {
  const webhooks = root.child('webhooks');
  const derived = webhooks
    .entries()
    .filter(([, item]) =>
      item.entries().some(([, operation]) => operation.text(derivedKey)?.startsWith('asyncapi#')),
    );
  if (derived.length === 0) return [];
  return derived.length === webhooks.entries().length
    ? [webhooks.pointer]
    : derived.map(([, { pointer }]) => pointer);
}

/** Returns the place that a local reference in a document names. */
function toPlace(document: Pointer, reference: string): Pointer {
  return `${pointerDocument(document)}#${reference.replace(/^#/u, '')}`;
}
