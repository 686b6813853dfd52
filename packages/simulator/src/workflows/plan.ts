import { elementsOf, isObject, memberOf, textOf } from '../sending/json-object.ts';
import type { Json, JsonObject } from 'countersign/kit';
import type { ServedWorkflow } from '../service.ts';
import { isExpression, parseExpression } from './expression.ts';
import { expressionsIn } from './resolve-value.ts';

/** A workflow with the order of its steps. */
export interface WorkflowPlan {
  readonly id: string;
  readonly inputs?: Json;
  readonly outputs: Json;
  readonly steps: readonly StepPlan[];
}

/** A step, with what the workflow states for all steps. */
export interface StepPlan extends RunnableStep {
  /** The indexes of the steps that have to end before this one starts. */
  readonly after: readonly number[];
  /** Parameter Objects. */
  readonly parameters: readonly Json[];
  readonly onSuccess: readonly ActionPlan[];
  readonly onFailure: readonly ActionPlan[];
  /** Milliseconds. */
  readonly timeout?: number;
  /** Whether an earlier run of the workflow suffices: the workflow only has to be completed before. */
  readonly isPrerequisite?: true;
}

/** A Success Action Object or a Failure Action Object. */
export interface ActionPlan {
  readonly name: string;
  readonly type: string;
  readonly stepId?: string;
  readonly workflowId?: string;
  readonly criteria: Json;
  readonly parameters: readonly Json[];
  /** Milliseconds before a repetition. */
  readonly retryAfter: number;
  /** The maximum number of repetitions. */
  readonly retryLimit: number;
}

/**
 * Plans a workflow. A step follows the one before it, unless it states `dependsOn`: then it starts as soon as these
 * steps, those whose outputs it reads, and the undescribed steps directly before it have ended.
 */
export function planWorkflow({ id, definition, ...workflow }: ServedWorkflow): WorkflowPlan {
  const inputs = definition['inputs'];
  const prerequisites = elementsOf(definition['dependsOn']).flatMap((name): RunnableStep[] =>
    typeof name === 'string' ? [{ id: name, kind: 'workflow', names: [name], definition: {} }] : [],
  );
  const steps = [...prerequisites, ...stepsOf(workflow)];
  const indexes = new Map(steps.map((step, index) => [step.id, index]));
  return {
    id,
    ...(inputs === undefined ? {} : { inputs }),
    outputs: definition['outputs'] ?? {},
    steps: steps.map((step, index) => {
      const timeout = memberOf(step.definition, 'timeout');
      return {
        ...step,
        after:
          index < prerequisites.length
            ? index === 0
              ? []
              : [index - 1]
            : predecessors(steps, index, indexes, prerequisites.length),
        parameters: mergeParameters(definition['parameters'], step.definition['parameters']),
        onSuccess: mergeActions(definition['successActions'], step.definition['onSuccess']),
        onFailure: mergeActions(definition['failureActions'], step.definition['onFailure']),
        ...(typeof timeout === 'number' ? { timeout } : {}),
        ...(index < prerequisites.length ? { isPrerequisite: true } : {}),
      };
    }),
  };
}

/** Returns the steps whose outputs a value reads, by the ids of the steps. */
export function stepsReadBy(value: Json): readonly string[] {
  return expressionsIn(value).flatMap((expression) => {
    // An invalid expression is a problem of its own.
    if (!/^\$steps\.[\w-]+\.outputs\.[\w.-]+/u.test(expression)) return [];
    const parsed = parseExpression(expression);
    return parsed.kind === 'steps' ? [parsed.step] : [];
  });
}

function predecessors(
  steps: readonly RunnableStep[],
  index: number,
  indexes: ReadonlyMap<string, number>,
  prerequisites: number,
): readonly number[] {
  const { definition = {} } = steps[index] ?? {};
  const previous = index === 0 ? [] : [index - 1];
  if (definition['dependsOn'] === undefined) return previous;
  const names = [
    ...elementsOf(definition['dependsOn']).filter((name) => typeof name === 'string'),
    ...stepsReadBy(definition),
  ];
  // All prerequisites have ended when the last has: they follow one another.
  const predecessorIndexes = new Set(prerequisites === 0 ? [] : [prerequisites - 1]);
  for (const name of names) {
    const at = indexes.get(name);
    if (at !== undefined && at !== index) predecessorIndexes.add(at);
  }
  for (let at = index - 1; at >= 0 && steps[at]?.kind === 'note'; at -= 1)
    predecessorIndexes.add(at);
  return [...predecessorIndexes];
}

/** The parameters of a step replace those of the workflow with the same name and place. */
function mergeParameters(
  workflowParameters: Json | undefined,
  stepParameters: Json | undefined,
): readonly Json[] {
  const key = (parameter: Json): string =>
    `${textOf(parameter, 'in') ?? ''} ${textOf(parameter, 'name') ?? ''}`;
  const keys = new Set(elementsOf(stepParameters).map(key));
  return [
    ...elementsOf(stepParameters),
    ...elementsOf(workflowParameters).filter((parameter) => !keys.has(key(parameter))),
  ];
}

/** The actions of a step come first, and replace those of the workflow with the same name. */
function mergeActions(
  workflowActions: Json | undefined,
  stepActions: Json | undefined,
): readonly ActionPlan[] {
  const actions = elementsOf(stepActions).flatMap(planAction);
  const names = new Set(actions.map(({ name }) => name));
  return [
    ...actions,
    ...elementsOf(workflowActions)
      .flatMap(planAction)
      .filter(({ name }) => !names.has(name)),
  ];
}

function planAction(action: Json): readonly ActionPlan[] {
  const [name = '', type = ''] = ['name', 'type'].map((member) => textOf(action, member));
  const [stepId, workflowId] = ['stepId', 'workflowId'].map((member) => textOf(action, member));
  const [seconds, limit] = ['retryAfter', 'retryLimit'].map((member) => memberOf(action, member));
  if (!isObject(action) || type === '') return [];
  return [
    {
      name,
      type,
      ...(stepId === undefined ? {} : { stepId }),
      ...(workflowId === undefined ? {} : { workflowId }),
      criteria: action['criteria'] ?? [],
      parameters: elementsOf(action['parameters']),
      retryAfter: typeof seconds === 'number' ? seconds * 1000 : 0,
      retryLimit: typeof limit === 'number' ? limit : 1,
    },
  ];
}

/** Returns the origin of an output of a step: the expression that its outputs state. */
export function originOf(steps: readonly RunnableStep[], expression: string): string | undefined {
  if (!isExpression(expression)) return undefined;
  const parsed = parseExpression(expression);
  if (parsed.kind !== 'steps') return undefined;
  const step = steps.find(({ id }) => id === parsed.step);
  return textOf(step?.definition['outputs'], parsed.name);
}

/** A step as a run follows it. */
export interface RunnableStep {
  readonly id: string;
  /**
   * `call`: the simulator waits for a call. `receive`: the simulator delivers a notification. `workflow`: another
   * workflow runs. `note`: the simulator sees nothing of the step, and the run waits for `proceed`.
   */
  readonly kind: 'call' | 'receive' | 'workflow' | 'note';
  readonly description?: string;
  /** Names of operations, kinds of notifications, or ids of workflows; one of them happens. */
  readonly names: readonly string[];
  readonly correlation?: Readonly<Record<string, string>>;
  readonly definition: JsonObject;
}

/** Returns the steps of a workflow. A message that the integrator sends elsewhere is a note: the simulator answers HTTP. */
export function stepsOf({ steps }: Pick<ServedWorkflow, 'steps'>): readonly RunnableStep[] {
  return steps.map((step): RunnableStep => {
    if (step.kind === 'note') return { ...step, names: [], definition: {} };
    const { kind } = step;
    if (kind !== 'send') return { ...step, kind };
    const { description = 'The integrator sends a message.', definition } = step;
    return { id: step.id, kind: 'note', description, names: [], definition };
  });
}
