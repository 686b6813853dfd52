import type { StepEntry } from '../entry.ts';
import { isObject } from '../json-object.ts';
import type { Json } from '../service-description.ts';
import { SimulatorError } from '../simulator-error.ts';
import type { WorkflowRun } from '../workflow-run.ts';
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
  onEnd: (state: 'passed' | 'failed', message: string) => void,
): Execution {
  const { journal, clock, description, credentials, redactor } = host.context;
  const steps = plan.steps.map(createStep);
  const afterwards = new Map<LiveStep, () => void>();
  let outputs: Values = {};
  let state: WorkflowRun['state'] = 'running';
  let isAdvancing = false;
  /** A workflow that continues this one. */
  let successor: Execution | undefined;

  const record = (step: LiveStep, entry: StepEntry['state'], message: string): void => {
    const at = { at: clock.now(), run: host.id, workflow: plan.id };
    journal.add({ type: 'step', ...at, step: `${prefix}${step.plan.id}`, state: entry, message });
  };

  const scopeOf = (exchange?: Exchange, child?: Execution): Scope => ({
    limit: host.limit,
    inputs,
    outputs: child?.outputs ?? outputs,
    ...(exchange === undefined ? {} : { exchange }),
    stepOutputs: (id) => steps.find((step) => step.plan.id === id)?.outputs,
    workflow(id) {
      if (id === plan.id) return { inputs, outputs };
      const own = steps.findLast((step) => step.child && step.plan.targets.includes(id));
      const earlier = host.passed(id);
      return own?.child ?? (earlier && { inputs: {}, outputs: earlier.outputs });
    },
  });

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

  const canStart = (): boolean => state === 'running' && successor === undefined;
  const nextStep = (): LiveStep | undefined =>
    canStart()
      ? steps.find(
          ({ state: own, plan: { after } }) =>
            own === 'pending' && after.every((index) => steps[index]?.isDone === true),
        )
      : undefined;

  const advance = (): void => {
    if (isAdvancing) return;
    isAdvancing = true;
    for (let next = nextStep(); next !== undefined; next = nextStep()) void start(next);
    isAdvancing = false;
    if (canStart() && steps.every(({ isDone }) => isDone))
      finish('passed', 'All steps have ended.');
  };

  const start: ActionHost['start'] = async (step, delay = 0) => {
    if (host.isExhausted()) {
      finish('failed', 'The run has started 1,000 steps. Its actions form a loop.');
      return;
    }
    step.state = 'waiting';
    step.startedAt ??= clock.now();
    step.turn += 1;
    const { turn } = step;
    const isOver = (): boolean => step.turn !== turn || state !== 'running';
    const end = (outcome: StepOutcome): void => {
      if (isOver()) return;
      step.turn += 1;
      step.stop();
      step.stop = () => undefined;
      step.child?.cancel(outcome.message);
      step.duration = clock.now() - (step.startedAt ?? clock.now());
      settle(step, outcome);
      advance();
    };
    try {
      await startStep(step.plan, {
        host,
        plan,
        scope: scopeOf(),
        delay,
        wait(message) {
          step.message = message;
          record(step, 'waiting', message);
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
        runWorkflow: (id, given) => runWorkflow(step, id, given, end),
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      end({ isPassed: false, message: redactor.redact(message) });
    }
  };

  const runWorkflow: ActionHost['runWorkflow'] = (step, id, given, end) => {
    const onChildEnd = (ended: string, message: string): void =>
      end({ isPassed: ended === 'passed', message, child });
    const child = createOther(id, given, `${prefix}${step.plan.id}/`, onChildEnd);
    step.child = child;
    child.begin();
  };

  /** @throws SimulatorError `unknown-name`, `invalid-option` */
  const createOther = (id: string, given: Values, under: string, end: typeof onEnd): Execution => {
    const data = description.workflows.find((one) => one.id === id);
    if (data === undefined)
      throw new SimulatorError('unknown-name', `The contract has no workflow "${id}".`);
    if (under.split('/').length > maxDepth)
      throw new SimulatorError(
        'unsupported-workflow',
        `Workflows run workflows, more than ${maxDepth} deep.`,
      );
    const own = readInputs(id, data.inputs, given, credentials);
    return createExecution(planWorkflow(data), own, host, under, end);
  };

  const settle = (step: LiveStep, outcome: StepOutcome): void => {
    const { exchange, child, isPassed } = outcome;
    const scope = scopeOf(exchange, child);
    const { source, onSuccess } = step.plan;
    const unmet = isPassed ? findUnmet(source['successCriteria'], scope) : undefined;
    const then = afterwards.get(step);
    afterwards.delete(step);
    if (!isPassed || unmet !== undefined) {
      const why = unmet?.error === undefined ? '.' : `: ${unmet.error}`;
      const message =
        unmet === undefined
          ? outcome.message
          : `The criterion "${unmet.condition}" is not met${why}`;
      if (then === undefined) fail(step, message, scope);
      else failRun(step, message);
      return;
    }
    const stated = source['outputs'];
    step.outputs = stated === undefined ? (child?.outputs ?? {}) : resolveOutputs(stated, scope);
    step.state = 'passed';
    step.isDone = true;
    step.message = outcome.message;
    record(step, 'passed', outcome.message);
    if (then !== undefined) {
      then();
      return;
    }
    step.retries.clear();
    const action = onSuccess.find(({ criteria }) => findUnmet(criteria, scope) === undefined);
    if (action?.type === 'goto') goTo(actionHost, step, action, scope);
    if (action?.type === 'end') finish('passed', `The action "${action.name}" ends the workflow.`);
  };

  const fail = (step: LiveStep, message: string, scope: Scope): void => {
    step.message = message;
    const action = step.plan.onFailure.find(
      ({ name, type, criteria, retryLimit }) =>
        !(type === 'retry' && (step.retries.get(name) ?? 0) >= retryLimit) &&
        findUnmet(criteria, scope) === undefined,
    );
    if (action?.type === 'retry') retryStep(actionHost, step, action, message, scope);
    else if (action?.type === 'goto') {
      step.state = 'failed';
      step.isDone = true;
      record(step, 'failed', message);
      goTo(actionHost, step, action, scope);
    } else failRun(step, message);
  };

  const failRun: ActionHost['failRun'] = (step, message) => {
    step.state = 'failed';
    step.message = message;
    record(step, 'failed', message);
    finish('failed', `The step "${step.plan.id}" failed.`);
  };

  const actionHost: ActionHost = {
    steps,
    clock,
    isRunning: () => state === 'running',
    record,
    start,
    afterwards: (step, then) => void afterwards.set(step, then),
    runWorkflow(step, id, given, end) {
      try {
        runWorkflow(step, id, given, end);
      } catch (error) {
        if (!(error instanceof SimulatorError)) throw error;
        failRun(step, error.message);
      }
    },
    replaceBy(id, given) {
      for (const step of steps) step.stop();
      try {
        successor = createOther(id, given, `${prefix}${id}/`, (end, message) => {
          outputs = successor?.outputs ?? {};
          finish(end, message);
        });
        successor.begin();
      } catch (error) {
        if (!(error instanceof SimulatorError)) throw error;
        finish('failed', error.message);
      }
    },
    failRun,
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
      const waiting = steps.filter((step) => step.state === 'waiting');
      return waiting.some((step) => {
        if (step.plan.kind !== 'note') return step.child?.proceed() === true;
        step.proceed?.();
        return true;
      });
    },
    cancel(message) {
      successor?.cancel(message);
      finish('failed', message);
    },
  };
}

function resolveOutputs(stated: Json, scope: Scope): Values {
  const resolved = resolveValue(stated, scope);
  return isObject(resolved) ? resolved : {};
}
