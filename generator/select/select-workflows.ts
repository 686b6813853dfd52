import { Cursor } from '../json/cursor.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { type Pointer, toPointer } from '../json/pointer.ts';
import type { Documents } from '../documents/documents.ts';
import { workflowReferences, workflowsOf } from '../documents/workflow-references.ts';
import { toOriginal } from './replace-roots.ts';

/**
 * Leaves out each workflow that refers to something that is not selected: without one of its steps, it would state
 * another order of calls and notifications. Keeps references that name nothing in the whole contract, which are errors.
 * @param before the documents with everything
 */
export function selectWorkflows(before: Documents, selected: Documents): Documents {
  if (before.workflows === undefined) return selected;
  const removed = new Set<Pointer>();
  const isLost = (workflow: Cursor): boolean => {
    const left = workflowReferences(selected, workflow);
    return workflowReferences(before, workflow).some(({ targets, unknown }, index) => {
      const { targets: rest = [], unknown: lost = [] } = left[index] ?? {};
      const isGone = rest.every((target) => removed.has(target));
      return targets.length > 0 && (isGone || lost.length > unknown.length);
    });
  };
  for (;;) {
    const lost = workflowsOf(before).filter(
      (workflow) => !removed.has(workflow.pointer) && isLost(workflow),
    );
    if (lost.length === 0) return withoutWorkflows(selected, removed);
    for (const { pointer } of lost) removed.add(pointer);
  }
}

/** Removes workflows, and documents without any left. `locate` still returns the places in the original files. */
function withoutWorkflows(documents: Documents, removed: ReadonlySet<Pointer>): Documents {
  const { workflows, ...rest } = documents;
  if (workflows === undefined || removed.size === 0) return documents;
  const moved = new Map<Pointer, Pointer>();
  const kept = Cursor.ofDocument(workflows.root, 'workflows')
    .entries()
    .flatMap(([name, document]) => {
      const list = document.child('workflows');
      const left = list.items().filter(({ pointer }) => !removed.has(pointer));
      for (const [index, { pointer }] of left.entries())
        moved.set(toPointer(list.pointer, index), pointer);
      const values = left.map(({ value = null }): Json => value);
      return values.length === 0 || !isJsonObject(document.value)
        ? []
        : [[name, { ...document.value, workflows: values }] as const];
    });
  return {
    ...rest,
    ...(kept.length === 0 ? {} : { workflows: { ...workflows, root: Object.fromEntries(kept) } }),
    locate: (pointer) => documents.locate(toOriginal(pointer, moved)),
    cite: (pointer) => documents.cite(toOriginal(pointer, moved)),
  };
}
