import { type Cursor, optionalTexts } from '../../json/cursor.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { Documents } from '../../documents/documents.ts';
import {
  stepReference,
  undescribedSteps,
  workflowsOf,
} from '../../documents/workflow-references.ts';
import type { StatedContract } from '../complete.ts';
import type { WorkflowAction } from '../contract.ts';
import type { StatedAction, StatedNote, StatedWorkflow } from '../workflows.ts';

type Described = Pick<StatedContract, 'operations' | 'notifications' | 'messages'>;

/** Returns the workflows of all Arazzo documents. Notes are before or after the step that `x-undescribed` names. */
export function lowerWorkflows(
  documents: Documents,
  contract: Described,
): readonly StatedWorkflow[] {
  const kinds = kindsOf(contract);
  return workflowsOf(documents).map((workflow) => {
    const notes = undescribedSteps(documents, workflow);
    const [before, after] = ['before', 'after'].map((member) =>
      Map.groupBy(notes, (note) => note.text(member)),
    );
    return {
      kind: 'workflow',
      pointer: workflow.pointer,
      ...workflow.annotations(),
      id: workflow.text('workflowId') ?? '',
      ...optionalTexts(['summary', 'description'], workflow),
      steps: workflow.items('steps').flatMap((step) => {
        const action = lowerAction(documents, step, kinds);
        return [
          ...(before?.get(action.id) ?? []).map(lowerNote),
          action,
          ...(after?.get(action.id) ?? []).map(lowerNote),
        ];
      }),
    };
  });
}

type ActionKind = WorkflowAction['kind'];

/** Returns what a step is that refers to a place of the contract. A message can be both received and sent. */
function kindsOf(contract: Described): ReadonlyMap<Pointer, ReadonlySet<ActionKind>> {
  const kinds = new Map<Pointer, Set<ActionKind>>();
  const add = (pointer: Pointer, kind: ActionKind): void => {
    kinds.set(pointer, (kinds.get(pointer) ?? new Set()).add(kind));
  };
  for (const { pointer } of contract.operations) add(pointer, 'call');
  for (const { pointer } of contract.notifications) add(pointer, 'receive');
  for (const { pointer, from } of contract.messages) {
    add(pointer, from === 'service' ? 'receive' : 'send');
  }
  return kinds;
}

function lowerAction(
  documents: Documents,
  step: Cursor,
  kinds: ReadonlyMap<Pointer, ReadonlySet<ActionKind>>,
): StatedAction {
  const { targets } = stepReference(documents, step);
  const action = step.text('action');
  const isWorkflow = step.valueIn('workflowId') !== undefined;
  const possible: readonly ActionKind[] = isWorkflow
    ? ['workflow']
    : action === 'receive' || action === 'send'
      ? [action]
      : ['call', 'receive', 'send'];
  const kind = possible.find((actionKind) =>
    targets.some((target) => kinds.get(target)?.has(actionKind) === true),
  );
  return {
    kind: kind ?? possible[0] ?? 'call',
    pointer: step.pointer,
    ...step.annotations(),
    id: step.text('stepId') ?? '',
    ...optionalTexts(['description'], step),
    targets: isWorkflow
      ? targets
      : targets.filter((target) => kind !== undefined && kinds.get(target)?.has(kind) === true),
  };
}

function lowerNote(note: Cursor): StatedNote {
  return {
    kind: 'note',
    pointer: note.pointer,
    ...note.annotations(),
    description: note.text('description') ?? '',
    unstated: note.text('unstated') ?? '',
    ...optionalTexts(['path'], note),
  };
}
