import { objectsIn } from '../json/descend.ts';
import { toObject } from '../json/json.ts';
import { pointerDocument, toPointer } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { unstatedEntries } from '../documents/unstated-entries.ts';
import { prune } from './prune.ts';
import { replaceRoots } from './replace-roots.ts';

/**
 * Adapts the ledger to pruned documents. Removes an entry if only removed values referred to it. Moves an entry to
 * `info` if a value still refers to it, but the object that had it is removed. An entry that no value referred to stays
 * on its object.
 */
export function keepLedger(before: Documents, pruned: Documents): Documents {
  const entries = unstatedEntries(before);
  if (entries.length === 0) return pruned;
  const referred = referredIn(before);
  const stillReferred = referredIn(pruned);
  const left = Map.groupBy(unstatedEntries(pruned), ({ id }) => id);
  const unused = [...left].flatMap(([id, of]) =>
    referred.has(id) && !stillReferred.has(id) ? of : [],
  );
  const lost = [...Map.groupBy(entries, ({ id }) => id)].flatMap(([id, [first]]) =>
    stillReferred.has(id) && !left.has(id) ? (first ?? []) : [],
  );
  const documents = prune(
    pruned,
    unused.map(({ at }) => at.pointer),
  );
  if (lost.length === 0) return documents;
  return replaceRoots(documents, (root, moved) => {
    const document = pointerDocument(root.pointer);
    const entries = lost.filter(({ at }) => pointerDocument(at.pointer) === document);
    if (entries.length === 0) return root.root;
    const info = root.child('info');
    const ledger = info.child('x-unstated');
    for (const { id, at } of entries) moved.set(toPointer(ledger.pointer, id), at.pointer);
    const added = Object.fromEntries(entries.map(({ id, at }) => [id, at.value]));
    const unstated = { ...toObject(ledger.value), ...added };
    return { ...root.root, info: { ...toObject(info.value), 'x-unstated': unstated } };
  });
}

/** Returns the ids of all `{ unstated: <id> }` values, and of the entries that workflows name. */
function referredIn({ openapi, asyncapi, workflows }: Documents): ReadonlySet<string> {
  const roots = [openapi?.root, asyncapi?.root, workflows?.root].filter(
    (root) => root !== undefined,
  );
  const ids = roots.flatMap((root) => Array.from(objectsIn(root), ({ unstated }) => unstated));
  return new Set(ids.filter((id) => typeof id === 'string'));
}
