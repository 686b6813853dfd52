import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import type { Random } from '../random.ts';
import type { Json } from 'countersign/kit';
import type { StepState, WorkflowRun } from '../workflow-run.ts';
import type { CallDispatcher } from './call-dispatcher.ts';
import type { TimeLimit } from './time-limit.ts';

/** Named values: inputs or outputs. */
export type Values = Readonly<Record<string, Json>>;

/** What the executions of a run share. */
export interface RunHost {
  readonly id: string;
  readonly context: SimulatorContext;
  readonly deliverer: Pick<Deliverer, 'trigger'>;
  readonly dispatcher: CallDispatcher;
  readonly random: Random;
  /** Limits the evaluation of the patterns and JSONPaths of the run. */
  readonly limit: TimeLimit;
  /** The number of the first call that belongs to the run. */
  readonly firstCall: number;
  /** Maximum milliseconds to wait for a call. */
  readonly callTimeoutMs?: number;
  /** The values that calls of the run carried, by the names of their members. */
  readonly carried: ReadonlyMap<string, Json>;
  /** Adds a value that a call carried, if a payload can have it. */
  carry(name: string, value: Json): void;
  /** Returns the newest passed run of a workflow. */
  passed(workflow: string): Pick<WorkflowRun, 'outputs'> | undefined;
  /** Counts a step that starts. Returns whether there were too many, which a loop causes. */
  isExhausted(): boolean;
}

/** A workflow that runs, by itself or as a step of another. */
export interface Execution {
  readonly steps: readonly StepState[];
  readonly inputs: Values;
  readonly outputs: Values;
  begin(): void;
  /** Continues after the note that has waited longest. Returns whether there was one. */
  proceed(): boolean;
  /** Ends the execution as failed. */
  cancel(message: string): void;
}
