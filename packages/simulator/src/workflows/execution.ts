import type { StepEntry } from '../entry.ts';
import { isObject, membersOf } from '../sending/json-object.ts';
import type { Json } from 'countersign/kit';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { StepState, WorkflowRun } from '../workflow-run.ts';
import { findUnmet } from './criteria.ts';
import { type ActionHost, goTo, retryStep } from './follow-action.ts';
import { readInputs } from './inputs.ts';
import { type LiveStep, createStep, toState } from './live-step.ts';
import { type WorkflowPlan, planWorkflow } from './plan.ts';
import { resolveValue } from './resolve-value.ts';
import type { Execution, RunHost, Values } from './run-host.ts';
import type { Exchange, Scope } from './scope.ts';
import { type StepOutcome, startStep } from './start-step.ts';

/** How deep workflows can run workflows. */
const maxDepth = 10;

/**
 * Creates an execution. It is a state machine: each event (a call, the end of a delivery, a time of the clock,
 * `proceed`) ends a step and starts those that it allows, before the event's function returns.
 */
export function createExecution(
  plan: WorkflowPlan,
  inputs: Values,
  host: RunHost,
  prefix: string,
  onEnd: OnEnd,
): Execution {
  return new WorkflowExecution(plan, inputs, host, prefix, onEnd);
}

/** Called once, when an execution has ended. */
export type OnEnd = (state: 'passed' | 'failed', message: string) => void;

class WorkflowExecution implements Execution {
  readonly inputs: Values;
  readonly #plan: WorkflowPlan;
  readonly #host: RunHost;
  readonly #prefix: string;
  readonly #onEnd: OnEnd;
  readonly #steps: readonly LiveStep[];
  readonly #actions: ActionHost;
  readonly #afterwards = new Map<LiveStep, () => void>();
  #outputs: Values = {};
  #state: WorkflowRun['state'] = 'running';
  #isAdvancing = false;
  /** A workflow that continues this one. */
  #successor: Execution | undefined;

  constructor(plan: WorkflowPlan, inputs: Values, host: RunHost, prefix: string, onEnd: OnEnd) {
    this.inputs = inputs;
    this.#plan = plan;
    this.#host = host;
    this.#prefix = prefix;
    this.#onEnd = onEnd;
    this.#steps = plan.steps.map(createStep);
    this.#actions = {
      steps: this.#steps,
      clock: host.context.clock,
      isRunning: () => this.#state === 'running',
      record: (step, state, message) => this.#record(step, state, message),
      start: (step, delay) => this.#start(step, delay),
      afterwards: (step, then) => void this.#afterwards.set(step, then),
      runWorkflow: (step, id, childInputs, end) =>
        this.#attempt(
          () => this.#runWorkflow(step, id, childInputs, end),
          (message) => this.#failRun(step, message),
        ),
      replaceBy: (id, successorInputs) => this.#replaceBy(id, successorInputs),
      failRun: (step, message) => this.#failRun(step, message),
    };
  }

  get steps(): readonly StepState[] {
    return [
      ...this.#steps.flatMap((step) => [toState(step, this.#prefix), ...(step.child?.steps ?? [])]),
      ...(this.#successor?.steps ?? []),
    ];
  }

  get outputs(): Values {
    return this.#outputs;
  }

  begin(): void {
    this.#advance();
  }

  proceed(): boolean {
    if (this.#successor !== undefined) return this.#successor.proceed();
    const waiting = this.#steps.filter((step) => step.state === 'waiting');
    return waiting.some((step) => {
      if (step.plan.kind !== 'note') return step.child?.proceed() === true;
      step.proceed?.();
      return true;
    });
  }

  cancel(message: string): void {
    this.#successor?.cancel(message);
    this.#finish('failed', message);
  }

  get #canStart(): boolean {
    return this.#state === 'running' && this.#successor === undefined;
  }

  #nextStep(): LiveStep | undefined {
    if (!this.#canStart) return undefined;
    return this.#steps.find(
      ({ state, plan: { after } }) =>
        state === 'pending' && after.every((index) => this.#steps[index]?.isDone === true),
    );
  }

  /** Starts every step that can start, and ends the execution after its last step. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    for (let next = this.#nextStep(); next !== undefined; next = this.#nextStep())
      void this.#start(next);
    this.#isAdvancing = false;
    if (this.#canStart && this.#steps.every(({ isDone }) => isDone))
      this.#finish('passed', 'All steps have ended.');
  }

  /** @param delay milliseconds that are added to the time that the step waits */
  async #start(step: LiveStep, delay = 0): Promise<void> {
    const { clock, redactor } = this.#host.context;
    if (this.#host.isExhausted()) {
      this.#finish('failed', 'The run has started 1,000 steps. Its actions form a loop.');
      return;
    }
    step.state = 'waiting';
    step.startedAt ??= clock.now();
    step.turn += 1;
    const { turn } = step;
    const isOver = (): boolean => step.turn !== turn || this.#state !== 'running';
    const end = (outcome: StepOutcome): void => {
      if (!isOver()) this.#end(step, outcome);
    };
    try {
      await startStep(step.plan, {
        host: this.#host,
        plan: this.#plan,
        scope: this.#scopeOf(),
        delay,
        wait: (message) => {
          step.message = message;
          this.#record(step, 'waiting', message);
        },
        note(message) {
          if (!isOver()) step.message = message;
        },
        end,
        onStop(stop) {
          // The step may have ended while it started.
          if (isOver()) return stop();
          const { stop: before } = step;
          step.stop = () => {
            before();
            stop();
          };
        },
        onProceed(proceed) {
          step.proceed = proceed;
        },
        runWorkflow: (id, childInputs) => this.#runWorkflow(step, id, childInputs, end),
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      end({ isPassed: false, message: redactor.redact(message) });
    }
  }

  #end(step: LiveStep, outcome: StepOutcome): void {
    const now = this.#host.context.clock.now();
    step.turn += 1;
    step.stop();
    step.stop = () => undefined;
    step.child?.cancel(outcome.message);
    step.durationMs = now - (step.startedAt ?? now);
    this.#settle(step, outcome);
    this.#advance();
  }

  /** Evaluates the criteria of a step that has ended, and follows the action that applies. */
  #settle(step: LiveStep, outcome: StepOutcome): void {
    const scope = this.#scopeOf(outcome.exchange, outcome.child);
    const then = this.#afterwards.get(step);
    this.#afterwards.delete(step);
    const failure = failureOf(step, outcome, scope);
    if (failure === undefined) this.#pass(step, outcome, scope, then);
    else if (then === undefined) this.#fail(step, failure, scope);
    else this.#failRun(step, failure);
  }

  #pass(
    step: LiveStep,
    { child, message }: StepOutcome,
    scope: Scope,
    then: (() => void) | undefined,
  ): void {
    const stated = step.plan.definition['outputs'];
    step.outputs = stated === undefined ? (child?.outputs ?? {}) : resolveOutputs(stated, scope);
    step.state = 'passed';
    step.isDone = true;
    step.message = message;
    this.#record(step, 'passed', message);
    if (then !== undefined) {
      then();
      return;
    }
    step.retries.clear();
    const action = step.plan.onSuccess.find(
      ({ criteria }) => findUnmet(criteria, scope) === undefined,
    );
    if (action?.type === 'goto') goTo(this.#actions, step, action, scope);
    if (action?.type === 'end')
      this.#finish('passed', `The action "${action.name}" ends the workflow.`);
  }

  #fail(step: LiveStep, message: string, scope: Scope): void {
    step.message = message;
    const action = step.plan.onFailure.find(
      ({ name, type, criteria, retryLimit }) =>
        !(type === 'retry' && (step.retries.get(name) ?? 0) >= retryLimit) &&
        findUnmet(criteria, scope) === undefined,
    );
    if (action?.type === 'retry') retryStep(this.#actions, step, action, message, scope);
    else if (action?.type === 'goto') {
      step.state = 'failed';
      step.isDone = true;
      this.#record(step, 'failed', message);
      goTo(this.#actions, step, action, scope);
    } else this.#failRun(step, message);
  }

  #failRun(step: LiveStep, message: string): void {
    step.state = 'failed';
    step.message = message;
    this.#record(step, 'failed', message);
    this.#finish('failed', `The step "${step.plan.id}" failed.`);
  }

  #finish(end: 'passed' | 'failed', message: string): void {
    if (this.#state !== 'running') return;
    this.#state = end;
    for (const step of this.#steps) {
      step.stop();
      if (step.state !== 'pending' && step.state !== 'waiting') continue;
      step.child?.cancel(message);
      step.state = 'skipped';
      this.#record(step, 'skipped', message);
    }
    this.#outputs = { ...this.#outputs, ...resolveOutputs(this.#plan.outputs, this.#scopeOf()) };
    this.#onEnd(end, message);
  }

  /** @throws SimulatorError as `#createOther` does */
  #runWorkflow(
    step: LiveStep,
    id: string,
    childInputs: Values,
    end: (outcome: StepOutcome) => void,
  ): void {
    const under = `${this.#prefix}${step.plan.id}/`;
    const child = this.#createOther(id, childInputs, under, (ended, message) =>
      end({ isPassed: ended === 'passed', message, child }),
    );
    step.child = child;
    child.begin();
  }

  /** Continues with another workflow, whose result is that of this one. */
  #replaceBy(id: string, successorInputs: Values): void {
    for (const step of this.#steps) step.stop();
    this.#attempt(
      () => {
        const successor = this.#createOther(
          id,
          successorInputs,
          `${this.#prefix}${id}/`,
          (end, message) => {
            this.#outputs = successor.outputs;
            this.#finish(end, message);
          },
        );
        this.#successor = successor;
        successor.begin();
      },
      (message) => this.#finish('failed', message),
    );
  }

  /** Runs a function, and passes the message of a SimulatorError to another one. */
  #attempt(run: () => void, onError: (message: string) => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof SimulatorError)) throw error;
      onError(error.message);
    }
  }

  /** @throws SimulatorError `unknown-name`, `invalid-option`, `unsupported-workflow` */
  #createOther(id: string, inputValues: Values, under: string, onEnd: OnEnd): Execution {
    const { description, credentials } = this.#host.context;
    const data = description.workflows.find((workflow) => workflow.id === id);
    if (data === undefined)
      throw new SimulatorError('unknown-name', `The contract has no workflow "${id}".`);
    if (under.split('/').length > maxDepth)
      throw new SimulatorError(
        'unsupported-workflow',
        `Workflows run workflows, more than ${maxDepth} deep.`,
      );
    const inputs = readInputs(id, data.definition['inputs'], inputValues, credentials);
    return createExecution(planWorkflow(data), inputs, this.#host, under, onEnd);
  }

  #record(step: LiveStep, state: StepEntry['state'], message: string): void {
    const { journal, clock } = this.#host.context;
    journal.add({
      type: 'step',
      at: clock.now(),
      run: this.#host.id,
      workflow: this.#plan.id,
      step: `${this.#prefix}${step.plan.id}`,
      state,
      message,
    });
  }

  /** Returns what expressions can read: of the execution, of the exchange of a step, and of the workflow that it ran. */
  #scopeOf(exchange?: Exchange, child?: Execution): Scope {
    const { inputs } = this;
    return {
      limit: this.#host.limit,
      inputs,
      outputs: child?.outputs ?? this.#outputs,
      ...(exchange === undefined ? {} : { exchange }),
      stepOutputs: (id) => this.#steps.find((step) => step.plan.id === id)?.outputs,
      workflow: (id) => {
        if (id === this.#plan.id) return { inputs, outputs: this.#outputs };
        const ran = this.#steps.findLast((step) => step.child && step.plan.names.includes(id));
        const earlier = this.#host.passed(id);
        return ran?.child ?? (earlier && { inputs: {}, outputs: earlier.outputs });
      },
    };
  }
}

/** Returns why a step that has ended has not passed, or `undefined` if it has. */
function failureOf(
  { plan: { definition } }: LiveStep,
  { isPassed, message }: StepOutcome,
  scope: Scope,
): string | undefined {
  if (!isPassed) return message;
  const unmet = findUnmet(definition['successCriteria'], scope);
  if (unmet === undefined) return undefined;
  const why = unmet.error === undefined ? '.' : `: ${unmet.error}`;
  return `The criterion "${unmet.condition}" is not met${why}`;
}

function resolveOutputs(stated: Json, scope: Scope): Values {
  const resolved = resolveValue(stated, scope);
  return isObject(resolved) ? Object.fromEntries(membersOf(resolved)) : {};
}
