import { createTimeLimit } from '../../execution/time-limit.ts';
import type { JsonObject } from '../../json/json.ts';
import { type DocumentName, type Pointer, toPointer } from '../../json/pointer.ts';
import { isMutableObject, type MutableObject } from '../origins.ts';
import { selectPaths } from './json-path.ts';
import { unstatedIn } from './settle.ts';

/**
 * Returns what the actions of unsettled ledger entries would change: the places that their targets select, by the id of
 * the entry. A target that is not a usable JSONPath selects nothing here; it is reported when the entry is settled.
 * @param documents the documents that declare `x-countersign: 1`, after all settled answers were applied
 */
export async function selectAnswerPlaces(
  documents: ReadonlyMap<DocumentName, JsonObject>,
): Promise<ReadonlyMap<string, readonly Pointer[]>> {
  const places = new Map<string, Set<Pointer>>();
  const limit = createTimeLimit();
  for (const [own, written] of documents) {
    for (const [id, entry] of unstatedIn(written)) {
      if (typeof entry['settled'] === 'string' || places.has(id)) continue;
      const selected = new Set<Pointer>();
      places.set(id, selected);
      for (const { target, document } of actionsOf(entry)) {
        const name = document === 'openapi' || document === 'asyncapi' ? document : own;
        const root = documents.get(name);
        if (root === undefined || typeof target !== 'string') continue;
        const paths = await selectPaths(root, target, limit);
        if ('message' in paths) continue;
        for (const path of paths) selected.add(toPointer(`${name}#`, ...path));
      }
    }
  }
  return new Map(Array.from(places, ([id, selected]) => [id, [...selected]]));
}

function actionsOf({ choices }: MutableObject): readonly MutableObject[] {
  return Object.values(isMutableObject(choices) ? choices : {}).flatMap((choice) => {
    const actions = isMutableObject(choice) ? choice['actions'] : undefined;
    return Array.isArray(actions) ? actions.filter(isMutableObject) : [];
  });
}
