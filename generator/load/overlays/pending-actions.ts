import { createTimeLimit } from '../../execution/time-limit.ts';
import { type DocumentName, toPointer } from '../../json/pointer.ts';
import type { PendingAction } from '../documents.ts';
import { isMutableObject, type MutableObject } from '../origins.ts';
import { selectPaths } from './json-path.ts';
import { unstatedIn } from './settle.ts';

/** The time for the actions of all entries. Only a hostile contract needs more; its other actions are left out. */
const maxMs = 5000;

/**
 * Returns the actions of the open ledger entries of documents, with the places that their targets select. Leaves out
 * targets that are invalid: settling the entry reports them.
 */
export async function findPendingActions(
  documents: ReadonlyMap<DocumentName, MutableObject>,
): Promise<readonly PendingAction[]> {
  const found: PendingAction[] = [];
  const limit = createTimeLimit();
  const end = performance.now() + maxMs;
  for (const { id, choice, document, action } of actionsIn(documents)) {
    const { target, update, remove, document: named = document } = action;
    const name = named === 'openapi' || named === 'asyncapi' ? named : document;
    const root = documents.get(name);
    if (typeof target !== 'string' || root === undefined || performance.now() > end) continue;
    const selected = await selectPaths(root, target, limit);
    if ('message' in selected) continue;
    found.push({
      id,
      choice,
      targets: selected.map((path) => toPointer(`${name}#`, ...path)),
      ...(remove === true || update === undefined ? {} : { update }),
    });
  }
  return found;
}

/** Yields the actions of all open entries, in the ledger's order. An entry that both documents have counts once. */
function* actionsIn(documents: ReadonlyMap<DocumentName, MutableObject>): Generator<{
  readonly id: string;
  readonly choice: string;
  readonly document: DocumentName;
  readonly action: MutableObject;
}> {
  const seen = new Set<string>();
  for (const [document, root] of documents) {
    for (const [id, { settled, choices }] of unstatedIn(root)) {
      if (seen.has(id) || settled !== undefined || !isMutableObject(choices)) continue;
      seen.add(id);
      for (const [choice, value] of Object.entries(choices)) {
        const actions = isMutableObject(value) ? value['actions'] : undefined;
        if (!Array.isArray(actions)) continue;
        for (const action of actions)
          if (isMutableObject(action)) yield { id, choice, document, action };
      }
    }
  }
}
