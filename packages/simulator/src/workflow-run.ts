import type { Json } from 'countersign/kit';

/** The options of a workflow run. */
export interface RunOptions {
  /** The inputs of the workflow, by name. */
  readonly inputs?: Readonly<Record<string, Json>>;
  /** Maximum milliseconds to wait for each call of the integrator. Default: 60,000, or the step's `timeout`. */
  readonly callTimeoutMs?: number;
}

/** The state of a step in a run. */
export interface StepState {
  readonly id: string;
  readonly kind: 'call' | 'receive' | 'workflow' | 'note';
  readonly state: 'pending' | 'waiting' | 'passed' | 'failed' | 'skipped';
  /** Why it failed, or what it waits for. */
  readonly message?: string;
  readonly outputs: Readonly<Record<string, Json>>;
  /** Milliseconds that it took. */
  readonly durationMs?: number;
}

/** A run of a workflow. */
export interface WorkflowRun {
  /** Unique in a simulator. */
  readonly id: string;
  readonly workflow: string;
  readonly state: 'running' | 'passed' | 'failed';
  readonly steps: readonly StepState[];
  readonly outputs: Readonly<Record<string, Json>>;
  /** Continues after a step that the contract does not describe. */
  proceed(): void;
  cancel(): void;
  /** Resolves when the run has ended, successfully or not. */
  readonly done: Promise<void>;
}
