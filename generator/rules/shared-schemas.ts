import type { JsonObject } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import { pointerDocument } from '../json/pointer.ts';
import { type Cursor, follow } from '../json/cursor.ts';
import { type Place, isReference, walk } from '../specification/walk.ts';
import { placesOf } from '../load/places.ts';

/**
 * The schemas of the AsyncAPI document that are read in both dialects: those that both documents have under one name
 * or in one written place, what they refer to, and, where there are such, all that messages are described with.
 * Empty for a contract of one document, and where no schema is one that is asked for: where something is written takes
 * a second reading of its file, which a sound contract can do without.
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
  const known = new Set(ofOpenapi.flatMap((place) => identities(place, documents)));
  const shared = ofAsyncapi.filter((place) =>
    identities(place, documents).some((identity) => known.has(identity)),
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

/** A schema is known by the place where it is written and, as a component, by its name. */
function identities(place: Place, documents: Documents): readonly string[] {
  const { file, line, column } = documents.locate(place.pointer);
  const written = `${file}:${line}:${column}`;
  return place.parent?.kind === 'components' ? [written, `#${place.key}`] : [written];
}

function reachable(tops: readonly Cursor[]): readonly Place[] {
  const found: Place[] = [];
  const seen = new Set<unknown>();
  const stack = tops.toReversed();
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (seen.has(top.value)) continue;
    for (const place of walk(top, 'schema')) {
      if (seen.has(place.value)) continue;
      seen.add(place.value);
      found.push(place);
      if (isReference(place)) stack.push(follow(place));
    }
  }
  return found;
}
