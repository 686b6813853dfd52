import { createTimeLimit } from '../../execution/time-limit.ts';
import { type DocumentName, type Pointer, toPointer } from '../../json/pointer.ts';
import type { PendingAction } from '../documents.ts';
import { isMutableObject, type MutableObject } from '../origins.ts';
import { selectPaths } from './json-path.ts';
import { holdersOf, isDocumentName, unstatedIn } from './settle.ts';

/** The time for the actions of all entries. Only a hostile contract needs more; its other actions are left out. */
const maxMs = 5000;

/**
 * Returns the actions of the open ledger entries of documents, with the places that their targets select. A target that
 * is invalid selects none: settling the entry reports it.
 */
export async function findPendingActions(
  documents: ReadonlyMap<DocumentName, MutableObject>,
): Promise<readonly PendingAction[]> {
  const found: PendingAction[] = [];
  const limit = createTimeLimit();
  const end = performance.now() + maxMs;
  const holders = holdersOf(documents);
  for (const { id, choice, action } of actionsIn(documents)) {
    const { target, update, remove, document: named } = action;
    if (typeof target !== 'string' || performance.now() > end) continue;
    const targets: Pointer[] = [];
    for (const name of isDocumentName(named) ? [named] : (holders.get(id) ?? [])) {
      const root = documents.get(name);
      const selected = root === undefined ? [] : await selectPaths(root, target, limit);
      if ('message' in selected) continue;
      targets.push(...selected.map((path) => toPointer(`${name}#`, ...path)));
    }
    found.push({
      id,
      choice,
      targets,
      ...(remove === true || update === undefined ? {} : { update }),
    });
  }
  return found;
}

/** Yields the actions of all open entries, in the ledger's order. An entry that both documents have counts once. */
function* actionsIn(documents: ReadonlyMap<DocumentName, MutableObject>): Generator<{
  readonly id: string;
  readonly choice: string;
  readonly action: MutableObject;
}> {
  const seen = new Set<string>();
  for (const root of documents.values()) {
    for (const [id, { settled, choices }] of unstatedIn(root)) {
      if (seen.has(id) || settled !== undefined || !isMutableObject(choices)) continue;
      seen.add(id);
      for (const [choice, value] of Object.entries(choices)) {
        const actions = isMutableObject(value) ? value['actions'] : undefined;
        if (!Array.isArray(actions)) continue;
        for (const action of actions) if (isMutableObject(action)) yield { id, choice, action };
      }
    }
  }
}
