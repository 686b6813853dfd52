import { TimeLimit } from '../../execution/time-limit.ts';
import { optional } from '../../json/json.ts';
import { type DocumentName, type Pointer, toPointer } from '../../json/pointer.ts';
import type { PendingAction } from '../../documents/documents.ts';
import { membersOf, type MutableObject } from '../origins.ts';
import { selectPaths } from './json-path.ts';
import { actionsOf, entriesIn, findChangedDocuments, isInExamples } from './settle.ts';

/** The time for the actions of all entries. Only a hostile contract needs more; its other actions are left out. */
const maxMs = 5000;

/**
 * Returns the actions of the open ledger entries of documents, with the places that their targets select. A target that
 * is invalid selects none: settling the entry reports it.
 */
export async function findPendingActions(
  documents: ReadonlyMap<DocumentName, MutableObject>,
): Promise<readonly PendingAction[]> {
  const pendingActions: PendingAction[] = [];
  const limit = new TimeLimit();
  const end = performance.now() + maxMs;
  const changedBy = findChangedDocuments(documents);
  for (const [id, entry] of entriesIn(documents, ({ settled }) => settled === undefined)) {
    for (const [choice] of membersOf(entry['choices'])) {
      for (const { target, update, remove, convert, document } of actionsOf(entry, choice)) {
        // A conversion changes examples only.
        if (typeof target !== 'string' || convert !== undefined) continue;
        if (performance.now() > end) continue;
        const targets: Pointer[] = [];
        for (const name of changedBy(id, document)) {
          const root = documents.get(name);
          const selected = root === undefined ? [] : await selectPaths(root, target, limit);
          if ('message' in selected) continue;
          targets.push(
            ...selected
              .filter((path) => !isInExamples(path))
              .map((path) => toPointer(`${name}#`, ...path)),
          );
        }
        pendingActions.push({
          id,
          choice,
          targets,
          ...(remove === true ? {} : optional('update', update)),
        });
      }
    }
  }
  return pendingActions;
}
