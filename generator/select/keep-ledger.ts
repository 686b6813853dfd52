import { isJsonObject, type Json } from '../json/json.ts';
import type { Documents } from '../load/documents.ts';
import { pointerDocument, toPointer, type Pointer } from '../json/pointer.ts';
import { unstatedEntries, type UnstatedEntry } from '../load/unstated-entries.ts';
import { replaceRoots, type Reduced } from './reduced.ts';
import { withoutPlaces } from './without.ts';

/**
 * Adapts the ledger to the reduced documents. Removes an entry if only removed values referred to it. Moves an entry to
 * `info` if a value still refers to it, but the object that had it is removed. An entry that no value referred to stays
 * on its object.
 */
export function keepLedger(before: Documents, { documents, moved }: Reduced): Reduced {
  const waited = questionsIn(before);
  const waiting = questionsIn(documents);
  const all = unstatedEntries(before);
  const left = unstatedEntries(documents);
  const gone = left.filter(({ id }) => waited.has(id) && !waiting.has(id));
  const homeless = firstOfEach(all).filter(
    ({ id }) => waiting.has(id) && !left.some((entry) => entry.id === id),
  );
  if (gone.length === 0 && homeless.length === 0) return { documents, moved };
  const restored = new Map(moved);
  const reduced = replaceRoots(documents, (root, document) => {
    const rest = withoutPlaces(root, pointersIn(gone, document));
    const own = homeless.filter(({ at }) => pointerDocument(at.pointer) === document);
    if (own.length === 0) return rest;
    const info = isJsonObject(rest['info']) ? rest['info'] : {};
    const ledger = isJsonObject(info['x-unstated']) ? info['x-unstated'] : {};
    for (const { id, at } of own) {
      restored.set(toPointer(`${document}#`, 'info', 'x-unstated', id), at.pointer);
    }
    const added = Object.fromEntries(own.map(({ id, at }) => [id, at.value]));
    return { ...rest, info: { ...info, 'x-unstated': { ...ledger, ...added } } };
  });
  return { documents: reduced, moved: restored };
}

function firstOfEach(entries: readonly UnstatedEntry[]): readonly UnstatedEntry[] {
  return [...Map.groupBy(entries, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}

function pointersIn(entries: readonly UnstatedEntry[], document: string): readonly Pointer[] {
  return entries.flatMap(({ at }) => (pointerDocument(at.pointer) === document ? at.pointer : []));
}

/** Returns the ids of all `{ unstated: <id> }` values. */
function questionsIn({ openapi, asyncapi }: Documents): ReadonlySet<string> {
  const found = new Set<string>();
  const queue: Json[] = [openapi?.root, asyncapi?.root].filter((root) => root !== undefined);
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && typeof value['unstated'] === 'string') found.add(value['unstated']);
    for (const member of Object.values(value)) if (member !== undefined) queue.push(member);
  }
  return found;
}
