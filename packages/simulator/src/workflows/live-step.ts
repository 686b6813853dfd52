import type { StepState } from '../workflow-run.ts';
import type { StepPlan } from './plan.ts';
import type { Execution, Values } from './run-host.ts';

/** A step in an execution. */
export interface LiveStep {
  readonly plan: StepPlan;
  state: StepState['state'];
  /** Whether steps after it can start. */
  isDone: boolean;
  message?: string;
  outputs: Values;
  startedAt?: number;
  durationMs?: number;
  /** The workflow that it runs. */
  child?: Execution;
  /** Identifies the start whose events count: those of earlier ones come too late. */
  turn: number;
  /** Ends what the step waits for. */
  stop: () => void;
  proceed?: () => void;
  /** How often each action has repeated the step. */
  readonly retries: Map<string, number>;
}

/** Creates a step that has not started. */
export function createStep(plan: StepPlan): LiveStep {
  return {
    plan,
    state: 'pending',
    isDone: false,
    outputs: {},
    turn: 0,
    stop: () => undefined,
    retries: new Map(),
  };
}

/** Lets a step start again. The counts of repetitions stay, so that loops of actions end. */
export function resetStep(step: LiveStep): void {
  step.stop();
  step.child?.cancel('The step starts again.');
  step.turn += 1;
  step.state = 'pending';
  step.isDone = false;
  step.outputs = {};
  step.stop = () => undefined;
  delete step.message;
  delete step.startedAt;
  delete step.durationMs;
  delete step.child;
  delete step.proceed;
}

/** Returns the state of a step for readers. */
export function toState(step: LiveStep, prefix: string): StepState {
  const { plan, state, message, outputs, durationMs } = step;
  return {
    id: `${prefix}${plan.id}`,
    kind: plan.kind,
    state,
    ...(message === undefined ? {} : { message }),
    outputs,
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}
