import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import type { StepEntry } from '../entry.ts';
import type { Random } from '../random.ts';
import type { Json } from '../service-description.ts';
import type { StepState, WorkflowRun } from '../workflow-run.ts';
import type { CallDesk } from './call-desk.ts';
import { findUnmet } from './criteria.ts';
import { isObject } from './json-object.ts';
import { type ActionPlan, type StepPlan, type WorkflowPlan, planWorkflow } from './plan.ts';
import { resolveValue } from './resolve-value.ts';
import type { Exchange, Scope } from './scope.ts';
import { type StepOutcome, resolveParameters, startStep } from './start-step.ts';

/** What the executions of a run share. */
export interface RunHost {
  readonly id: string;
  readonly context: SimulatorContext;
  readonly deliverer: Pick<Deliverer, 'trigger'>;
  readonly desk: CallDesk;
  readonly random: Random;
  /** The number of the first call that belongs to the run. */
  readonly firstCall: number;
  /** Milliseconds to wait for a call. */
  readonly timeout?: number;
  /** The values that calls of the run carried, by the names of their members. */
  readonly carried: Map<string, Json>;
  /** Returns the newest passed run of a workflow. */
  passed(workflow: string): Pick<WorkflowRun, 'outputs'> | undefined;
  /** Counts a step that starts. Returns whether there were too many, which a loop causes. */
  isExhausted(): boolean;
}

/** A workflow that runs, by itself or as a step of another. */
export interface Execution {
  readonly steps: readonly StepState[];
  readonly inputs: Readonly<Record<string, Json>>;
  readonly outputs: Readonly<Record<string, Json>>;
  begin(): void;
  /** Continues after the note that has waited longest. Returns whether there was one. */
  proceed(): boolean;
  /** Ends the execution as failed. */
  cancel(message: string): void;
}

/** A step in an execution. */
export interface LiveStep {
  readonly plan: StepPlan;
  state: StepState['state'];
  /** Whether steps after it can start. */
  isDone: boolean;
  message?: string;
  outputs: Readonly<Record<string, Json>>;
  startedAt?: number;
  duration?: number;
  child?: Execution;
  /** Ends what the step waits for. */
  stop: () => void;
  proceed?: () => void;
  readonly retries: Map<string, number>;
}

/** How deep workflows can run workflows. */
const maxDepth = 10;

/**
 * Creates an execution. It is a state machine: each event (a call, the end of a delivery, a time of the clock,
 * `proceed`) ends a step and starts those that it allows, before the event's function returns.
 */
export function createExecution(
  plan: WorkflowPlan,
  inputs: Readonly<Record<string, Json>>,
  host: RunHost,
  prefix: string,
  onEnd: (state: 'passed' | 'failed', message: string) => void,
): Execution {
  const { context } = host;
  const { clock, description } = context;
  const steps = plan.steps.map(createStep);
  let outputs: Readonly<Record<string, Json>> = {};
  let state: WorkflowRun['state'] = 'running';
  let isAdvancing = false;
  /** A workflow that continues this one. */
  let successor: Execution | undefined;

  const record = (step: LiveStep, entry: StepEntry['state'], message: string): void => {
    context.journal.add({
      type: 'step',
      at: clock.now(),
      run: host.id,
      workflow: plan.id,
      step: `${prefix}${step.plan.id}`,
      state: entry,
      message,
    });
  };

  const scopeOf = (exchange?: Exchange, child?: Execution): Scope => ({
    inputs,
    outputs: child?.outputs ?? outputs,
    ...(exchange === undefined ? {} : { exchange }),
    stepOutputs: (id) => steps.find((step) => step.plan.id === id)?.outputs,
    workflow(id) {
      const own = steps.findLast(
        ({ plan: { targets }, child: run }) => run && targets.includes(id),
      );
      if (own?.child !== undefined) return own.child;
      if (id === plan.id) return { inputs, outputs };
      const earlier = host.passed(id);
      return earlier && { inputs: {}, outputs: earlier.outputs };
    },
  });

  const resolveOutputs = (
    stated: Json | undefined,
    scope: Scope,
  ): Readonly<Record<string, Json>> => {
    const resolved = resolveValue(isObject(stated) ? stated : {}, scope);
    return isObject(resolved) ? resolved : {};
  };

  const finish = (end: 'passed' | 'failed', message: string): void => {
    if (state !== 'running') return;
    state = end;
    for (const step of steps) {
      step.stop();
      if (step.state !== 'pending' && step.state !== 'waiting') continue;
      step.child?.cancel(message);
      step.state = 'skipped';
      record(step, 'skipped', message);
    }
    outputs = { ...outputs, ...resolveOutputs(plan.outputs, scopeOf()) };
    onEnd(end, message);
  };

  const advance = (): void => {
    if (isAdvancing) return;
    isAdvancing = true;
    for (let next = ready(); state === 'running' && next !== undefined; next = ready()) start(next);
    isAdvancing = false;
    if (state === 'running' && successor === undefined && steps.every(({ isDone }) => isDone))
      finish('passed', 'All steps have ended.');
  };
  const ready = (): LiveStep | undefined =>
    successor === undefined
      ? steps.find(
          (step) =>
            step.state === 'pending' &&
            step.plan.after.every((index) => steps[index]?.isDone === true),
        )
      : undefined;

  /** Starts a step. The promise ends with what it sends; a step can end earlier or later. */
  const start = (step: LiveStep): Promise<void> => {
    if (host.isExhausted()) {
      finish('failed', 'The run has started 1,000 steps. Its actions form a loop.');
      return Promise.resolve();
    }
    step.state = 'waiting';
    step.startedAt ??= clock.now();
    let isOver = false;
    const end = (outcome: StepOutcome): void => {
      if (isOver || state !== 'running') return;
      isOver = true;
      step.stop();
      step.stop = () => undefined;
      step.duration = clock.now() - (step.startedAt ?? clock.now());
      const resume = afterwards.get(step);
      if (resume === undefined) settle(step, outcome);
      else {
        afterwards.delete(step);
        settle(step, outcome, false);
        if (state === 'running') resume();
      }
      advance();
    };
    const begun = startStep(step.plan, {
      host,
      plan,
      scope: scopeOf(),
      wait(message) {
        step.message = message;
        record(step, 'waiting', message);
      },
      note(message) {
        step.message = message;
      },
      end,
      onStop(stop) {
        const before = step.stop;
        step.stop = () => {
          before();
          stop();
        };
        // The step may have ended while it started.
        if (isOver) stop();
      },
      onProceed(proceed) {
        step.proceed = proceed;
      },
      runWorkflow: (workflow, given) => runWorkflow(step, workflow, given, end),
    });
    return begun;
  };

  const runWorkflow = (
    step: LiveStep,
    id: string,
    given: Readonly<Record<string, Json>>,
    end: (outcome: StepOutcome) => void,
  ): void => {
    const data = description.workflows.find((one) => one.id === id);
    const depth = prefix.split('/').length;
    if (data === undefined || depth > maxDepth) {
      const message =
        data === undefined
          ? `The contract has no workflow "${id}".`
          : 'The workflows run one another without end.';
      end({ isPassed: false, message });
      return;
    }
    const child = createExecution(
      planWorkflow(data),
      given,
      host,
      `${prefix}${step.plan.id}/`,
      (ended, message) => end({ isPassed: ended === 'passed', message, child }),
    );
    step.child = child;
    child.begin();
  };

  /** @param acts whether the step's actions apply; not for a step that another one runs before a retry */
  const settle = (step: LiveStep, outcome: StepOutcome, acts = true): void => {
    const { exchange, child } = outcome;
    const scope = scopeOf(exchange, child);
    const unmet = outcome.isPassed
      ? findUnmet(step.plan.source['successCriteria'], scope)
      : undefined;
    if (outcome.isPassed && unmet === undefined) {
      const stated = step.plan.source['outputs'];
      step.outputs = stated === undefined ? (child?.outputs ?? {}) : resolveOutputs(stated, scope);
      step.state = 'passed';
      step.isDone = true;
      step.message = outcome.message;
      step.retries.clear();
      record(step, 'passed', outcome.message);
      if (!acts) return;
      const action = step.plan.onSuccess.find(({ criteria }) => !findUnmet(criteria, scope));
      if (action?.type === 'end')
        finish('passed', `The action "${action.name}" ends the workflow.`);
      else if (action?.type === 'goto') goTo(step, action, scope);
      return;
    }
    const message =
      unmet === undefined
        ? outcome.message
        : `The criterion ${unmet.condition} is not met${unmet.error === undefined ? '' : `: ${unmet.error}`}.`.replace(
            /\.\.$/u,
            '.',
          );
    fail(step, message, scope);
  };

  const fail = (step: LiveStep, message: string, scope: Scope): void => {
    step.message = message;
    const action = step.plan.onFailure.find(
      ({ name, type, criteria, retryLimit }) =>
        !(type === 'retry' && (step.retries.get(name) ?? 0) >= retryLimit) &&
        !findUnmet(criteria, scope),
    );
    if (action?.type === 'retry') {
      retry(step, action, message, scope);
      return;
    }
    step.state = 'failed';
    record(step, 'failed', message);
    if (action?.type === 'goto') {
      step.isDone = true;
      goTo(step, action, scope);
      return;
    }
    finish('failed', `The step "${step.plan.id}" failed.`);
  };

  const retry = (step: LiveStep, action: ActionPlan, message: string, scope: Scope): void => {
    step.retries.set(action.name, (step.retries.get(action.name) ?? 0) + 1);
    step.state = 'waiting';
    record(step, 'retried', message);
    const again = (): unknown => {
      if (state !== 'running') return undefined;
      const before = beforeRetry(step, action, scope);
      if (before === undefined) return start(step);
      before(() => void start(step));
      return undefined;
    };
    // The integrator decides when it calls again, so that a call step waits at once.
    if (action.retryAfter === 0 || step.plan.kind === 'call') {
      void again();
      return;
    }
    const cancel = clock.schedule(clock.now() + action.retryAfter, again);
    step.stop = cancel;
  };

  /** Returns what a retry runs first: a workflow, or another step. */
  const beforeRetry = (
    step: LiveStep,
    { workflowId, stepId, parameters }: ActionPlan,
    scope: Scope,
  ): ((then: () => void) => void) | undefined => {
    if (workflowId !== undefined)
      return (then) => {
        runWorkflow(step, workflowId, resolveParameters(parameters, scope), (outcome) => {
          if (outcome.isPassed) then();
          else {
            step.state = 'failed';
            record(step, 'failed', outcome.message);
            finish('failed', `The step "${step.plan.id}" failed.`);
          }
        });
      };
    const other = steps.find(({ plan: { id } }) => id === stepId);
    if (other === undefined) return undefined;
    return (then) => {
      reset(other);
      afterwards.set(other, then);
      void start(other);
    };
  };
  const afterwards = new Map<LiveStep, () => void>();

  const goTo = (from: LiveStep, action: ActionPlan, scope: Scope): void => {
    const { stepId, workflowId, name } = action;
    if (workflowId !== undefined) {
      const data = description.workflows.find(({ id }) => id === workflowId);
      if (data === undefined) {
        finish('failed', `The contract has no workflow "${workflowId}".`);
        return;
      }
      for (const step of steps) step.stop();
      successor = createExecution(
        planWorkflow(data),
        resolveParameters(action.parameters, scope),
        host,
        `${prefix}${workflowId}/`,
        (ended, message) => {
          outputs = successor?.outputs ?? {};
          finish(ended, message);
        },
      );
      successor.begin();
      return;
    }
    const target = steps.findIndex(({ plan: { id } }) => id === stepId);
    if (target < 0) {
      finish('failed', `The action "${name}" names no step of the workflow.`);
      return;
    }
    const index = steps.indexOf(from);
    for (const [at, step] of steps.entries()) {
      if (at >= target) reset(step);
      else if (at > index && !step.isDone) {
        step.stop();
        step.state = 'skipped';
        step.isDone = true;
        record(step, 'skipped', `The action "${name}" continues with another step.`);
      }
    }
  };

  const reset = (step: LiveStep): void => {
    step.stop();
    Object.assign(step, { ...createStep(step.plan), retries: step.retries });
  };

  return {
    get steps() {
      return [
        ...steps.flatMap((step) => [toState(step, prefix), ...(step.child?.steps ?? [])]),
        ...(successor?.steps ?? []),
      ];
    },
    inputs,
    get outputs() {
      return outputs;
    },
    begin: advance,
    proceed() {
      if (successor !== undefined) return successor.proceed();
      for (const step of steps) {
        if (step.state !== 'waiting') continue;
        if (step.child?.proceed() === true) return true;
        if (step.plan.kind !== 'note') continue;
        step.proceed?.();
        return true;
      }
      return false;
    },
    cancel(message) {
      successor?.cancel(message);
      finish('failed', message);
    },
  };
}

function createStep(plan: StepPlan): LiveStep {
  return {
    plan,
    state: 'pending',
    isDone: false,
    outputs: {},
    stop: () => undefined,
    retries: new Map(),
  };
}

function toState({ plan, state, message, outputs, duration }: LiveStep, prefix: string): StepState {
  return {
    id: `${prefix}${plan.id}`,
    kind: plan.kind,
    state,
    ...(message === undefined ? {} : { message }),
    outputs,
    ...(duration === undefined ? {} : { duration }),
  };
}
