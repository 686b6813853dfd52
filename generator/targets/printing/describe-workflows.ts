import type { WorkflowData, WorkflowStepData } from '@countersign/simulator';
import type { Contract, WorkflowStep } from '../../contract/contract.ts';
import { Cursor } from '../../json/cursor.ts';
import { optional } from '../../json/json.ts';
import { type Pointer, pointerMembers } from '../../json/pointer.ts';
import { resolveReferences } from './workflow-source.ts';

/**
 * Describes the workflows of a contract for the simulator. A workflow has the id of the document, which is qualified
 * with the name of the document where several documents have it (`flows.list`).
 */
export function describeWorkflows(contract: Contract): readonly WorkflowData[] {
  const ids = workflowIds(contract);
  const targets = targetNames(contract, ids);
  return contract.workflows.map((workflow) => {
    const at = cursorAt(contract, workflow.pointer);
    const { steps: _, ...source } = resolveReferences(at, ids);
    const taken = new Set(
      workflow.steps.flatMap((step) => (step.kind === 'note' ? [] : [step.id])),
    );
    return {
      id: ids.get(workflow.pointer) ?? workflow.id,
      ...optional('summary', workflow.summary),
      ...optional('inputs', source['inputs']),
      steps: workflow.steps.map((step) => describeStep(contract, step, { ids, targets, taken })),
      source,
    };
  });
}

/** Returns the unique ids of workflows by their pointers. */
function workflowIds({ workflows }: Contract): ReadonlyMap<Pointer, string> {
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
  { operations, notifications }: Contract,
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

interface StepContext {
  readonly ids: ReadonlyMap<Pointer, string>;
  readonly targets: ReadonlyMap<Pointer, readonly string[]>;
  /** The ids that steps have. */
  readonly taken: Set<string>;
}

function describeStep(
  contract: Contract,
  step: WorkflowStep,
  { ids, targets, taken }: StepContext,
): WorkflowStepData {
  const { description } = step;
  if (step.kind === 'note')
    return {
      id: noteId(taken),
      kind: 'note',
      ...optional('description', description),
      targets: [],
      source: {},
    };
  const source = resolveReferences(cursorAt(contract, step.pointer), ids);
  // The simulator answers HTTP calls only: a message that the integrator sends elsewhere is not visible to it.
  if (step.kind === 'send')
    return {
      id: step.id,
      kind: 'note',
      description: description ?? 'The integrator sends a message.',
      targets: [],
      source,
    };
  const correlation = step.kind === 'receive' ? correlationOf(contract, step.targets, targets) : {};
  return {
    id: step.id,
    kind: step.kind,
    ...optional('description', description),
    targets: [...new Set(step.targets.flatMap((pointer) => targets.get(pointer) ?? []))],
    ...(Object.keys(correlation).length === 0 ? {} : { correlation }),
    source,
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
  contract: Contract,
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

function cursorAt({ documents }: Contract, pointer: Pointer): Cursor {
  const [name = 'workflows'] = pointer.split('#');
  const document = name === 'openapi' || name === 'asyncapi' ? name : 'workflows';
  return Cursor.ofDocument(documents[document] ?? {}, document).child(...pointerMembers(pointer));
}
