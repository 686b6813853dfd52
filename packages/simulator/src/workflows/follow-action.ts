import type { Clock } from '../clock.ts';
import type { StepEntry } from '../entry.ts';
import { type LiveStep, resetStep } from './live-step.ts';
import type { ActionPlan } from './plan.ts';
import type { Values } from './run-host.ts';
import type { Scope } from './scope.ts';
import { type StepOutcome, resolveParameters } from './start-step.ts';

/** What actions change in an execution. */
export interface ActionHost {
  readonly steps: readonly LiveStep[];
  readonly clock: Clock;
  isRunning(): boolean;
  record(step: LiveStep, state: StepEntry['state'], message: string): void;
  /** @param delay milliseconds that are added to the time that the step waits */
  start(step: LiveStep, delay?: number): Promise<void>;
  /** Calls `then` instead of the step's actions when it has passed. */
  afterwards(step: LiveStep, then: () => void): void;
  runWorkflow(
    step: LiveStep,
    id: string,
    inputs: Values,
    end: (outcome: StepOutcome) => void,
  ): void;
  /** Continues with another workflow, whose result is that of the execution. */
  replaceBy(workflow: string, inputs: Values): void;
  failRun(step: LiveStep, message: string): void;
}

/** Repeats a step, after the delay of the action and the step or workflow that the action names. */
export function retryStep(
  host: ActionHost,
  step: LiveStep,
  action: ActionPlan,
  message: string,
  scope: Scope,
): void {
  const { name, retryAfter, stepId, workflowId, parameters } = action;
  step.retries.set(name, (step.retries.get(name) ?? 0) + 1);
  step.state = 'waiting';
  host.record(step, 'retried', message);
  // The integrator decides when it calls again, so that a call step waits at once.
  const delay = step.plan.kind === 'call' ? 0 : retryAfter;
  const again = (): Promise<void> => host.start(step, retryAfter - delay);
  const prepare = (): Promise<void> | undefined => {
    if (!host.isRunning()) return undefined;
    if (workflowId !== undefined) {
      host.runWorkflow(step, workflowId, resolveParameters(parameters, scope), (outcome) => {
        if (outcome.isPassed) void again();
        else host.failRun(step, outcome.message);
      });
      return undefined;
    }
    const other = host.steps.find(({ plan: { id } }) => id === stepId);
    if (other === undefined) return again();
    resetStep(other);
    host.afterwards(other, () => void again());
    return host.start(other);
  };
  if (delay === 0) void prepare();
  else step.stop = host.clock.schedule(host.clock.now() + delay, prepare);
}

/** Continues with another step of the workflow, or with another workflow. */
export function goTo(host: ActionHost, from: LiveStep, action: ActionPlan, scope: Scope): void {
  const { stepId, workflowId, name, parameters } = action;
  if (workflowId !== undefined) {
    host.replaceBy(workflowId, resolveParameters(parameters, scope));
    return;
  }
  const target = host.steps.findIndex(({ plan: { id } }) => id === stepId);
  const index = host.steps.indexOf(from);
  for (const [at, step] of host.steps.entries()) {
    if (at >= target) resetStep(step);
    else if (at > index && !step.isDone) {
      resetStep(step);
      step.state = 'skipped';
      step.isDone = true;
      host.record(step, 'skipped', `The action "${name}" continues with another step.`);
    }
  }
}
