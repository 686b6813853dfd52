import type { JsonObject } from '../json/json.ts';
import type { Documents } from '../documents/documents.ts';
import { pointerDocument } from '../json/pointer.ts';
import type { Cursor } from '../json/cursor.ts';
import { type Place, isReference, walk } from '../specification/walk.ts';
import { placesOf } from '../documents/places.ts';

/**
 * Returns the AsyncAPI schemas that are read in both dialects. These are the schemas that both documents have, under
 * one name or at one place in a file, and the schemas they refer to. If there are any, the schemas of all messages are
 * included. Returns none for a contract of one document, and none if no schema satisfies `isAskedFor`. The latter
 * avoids locating schemas in their files, which requires parsing the files again.
 * @param isAskedFor whether the caller needs a schema
 */
export function sharedSchemas(
  documents: Documents,
  isAskedFor: (schema: JsonObject) => boolean,
): readonly Place[] {
  if (documents.openapi === undefined || documents.asyncapi === undefined) return [];
  const tops = placesOf(documents).filter(isTopSchema);
  const ofOpenapi = tops.filter(({ pointer }) => pointerDocument(pointer) === 'openapi');
  const ofAsyncapi = tops.filter(({ pointer }) => pointerDocument(pointer) === 'asyncapi');
  if (!reachable(ofAsyncapi).some(({ value }) => isAskedFor(value))) return [];
  const openapiIdentities = new Set(ofOpenapi.flatMap((place) => identities(place, documents)));
  const shared = ofAsyncapi.filter((place) =>
    identities(place, documents).some((identity) => openapiIdentities.has(identity)),
  );
  if (shared.length === 0) return [];
  const described = ofAsyncapi.filter(
    ({ parent }) => parent?.kind === 'message' || parent?.kind === 'binding',
  );
  return reachable([...shared, ...described]);
}

function isTopSchema({ kind, parent }: Place): boolean {
  return kind === 'schema' && parent?.kind !== 'schema' && parent?.kind !== 'multi-format-schema';
}

/** Returns what identifies a schema: its place in a file and, for a component, its name. */
function identities(place: Place, documents: Documents): readonly string[] {
  const { file, line, column } = documents.locate(place.pointer);
  const location = `${file}:${line}:${column}`;
  return place.parent?.kind === 'components' ? [location, `#${place.key}`] : [location];
}

function reachable(tops: readonly Cursor[]): readonly Place[] {
  const schemas: Place[] = [];
  const seen = new Set<unknown>();
  const stack = tops.toReversed();
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (seen.has(top.value)) continue;
    for (const place of walk(top, 'schema')) {
      if (seen.has(place.value)) continue;
      seen.add(place.value);
      schemas.push(place);
      if (isReference(place)) stack.push(place.follow());
    }
  }
  return schemas;
}
