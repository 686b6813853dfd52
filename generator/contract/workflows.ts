import { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import type {
  Contract,
  Notification,
  Operation,
  Workflow,
  WorkflowAction,
  WorkflowNote,
} from './contract.ts';
import { resolveReferences } from './workflow-source.ts';

/** A workflow as the contract states it. */
export type StatedWorkflow = Omit<Workflow, 'definition' | 'steps'> & {
  readonly steps: readonly (StatedAction | StatedNote)[];
};

/** A step that the contract describes, as it states it. */
export type StatedAction = Omit<WorkflowAction, 'names' | 'correlation' | 'definition'>;

/** A step that the contract does not describe, as it states it. */
export type StatedNote = Omit<WorkflowNote, 'id'>;

/** What workflows refer to. */
interface Sources extends Pick<Contract, 'documents'> {
  readonly operations: readonly Pick<Operation, 'pointer' | 'name'>[];
  readonly notifications: readonly Pick<Notification, 'pointer' | 'name'>[];
  readonly workflows: readonly StatedWorkflow[];
}

/** Names what the steps of workflows refer to, and resolves references in what documents state of them. */
export function describeWorkflows(contract: Sources): readonly Workflow[] {
  const ids = workflowIds(contract);
  const targets = targetNames(contract, ids);
  return contract.workflows.map((workflow) => {
    const { steps: _, ...definition } = resolveReferences(
      cursorAt(contract, workflow.pointer),
      ids,
    );
    const taken = new Set(
      workflow.steps.flatMap((step) => (step.kind === 'note' ? [] : [step.id])),
    );
    return {
      ...workflow,
      id: ids.get(workflow.pointer) ?? workflow.id,
      steps: workflow.steps.map((step) =>
        step.kind === 'note'
          ? { ...step, id: noteId(taken) }
          : describeAction(contract, step, ids, targets),
      ),
      definition,
    };
  });
}

/** Returns the unique ids of workflows by their pointers. */
function workflowIds({ workflows }: Sources): ReadonlyMap<Pointer, string> {
  const byId = Map.groupBy(workflows, ({ id }) => id);
  return new Map(
    workflows.map(({ id, pointer }) => {
      const isUnique = (byId.get(id) ?? []).length === 1;
      return [pointer, isUnique ? id : `${pointerMembers(pointer)[0] ?? ''}.${id}`];
    }),
  );
}

/** Returns the names of operations, kinds and workflows by their pointers. */
function targetNames(
  { operations, notifications }: Sources,
  ids: ReadonlyMap<Pointer, string>,
): ReadonlyMap<Pointer, readonly string[]> {
  const all = [
    ...[...operations, ...notifications].map(({ pointer, name }) => [pointer, name] as const),
    ...ids,
  ];
  const grouped = Map.groupBy(all, ([pointer]) => pointer);
  return new Map(
    Array.from(grouped, ([pointer, pairs]) => [pointer, pairs.map(([, name]) => name)]),
  );
}

function describeAction(
  contract: Sources,
  stated: StatedAction & Pick<WorkflowAction, 'correlation'>,
  ids: ReadonlyMap<Pointer, string>,
  targets: ReadonlyMap<Pointer, readonly string[]>,
): WorkflowAction {
  const { correlation: _, ...step } = stated;
  const correlation = step.kind === 'receive' ? correlationOf(contract, step.targets, targets) : {};
  return {
    ...step,
    names: [...new Set(step.targets.flatMap((pointer) => targets.get(pointer) ?? []))],
    ...(Object.keys(correlation).length === 0 ? {} : { correlation }),
    definition: resolveReferences(cursorAt(contract, step.pointer), ids),
  };
}

/** Returns `note-1`, `note-2`, …: an id that no step of the workflow has. */
function noteId(taken: Set<string>): string {
  for (let count = 1; ; count += 1) {
    const id = `note-${count}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

/** Returns where messages state that their correlation id is, by kind. */
function correlationOf(
  contract: Sources,
  pointers: readonly Pointer[],
  targets: ReadonlyMap<Pointer, readonly string[]>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pointers.flatMap((pointer) => {
      const message = cursorAt(contract, pointer).follow();
      const location = message.child('correlationId').follow().text('location');
      // A webhook has no such member.
      return location === undefined || !pointer.startsWith('asyncapi#')
        ? []
        : (targets.get(pointer) ?? []).map((kind) => [kind, location] as const);
    }),
  );
}

function cursorAt({ documents }: Sources, pointer: Pointer): Cursor {
  const [name = 'workflows'] = pointer.split('#');
  const document = name === 'openapi' || name === 'asyncapi' ? name : 'workflows';
  return Cursor.ofDocument(documents[document] ?? {}, document).child(...pointerMembers(pointer));
}
