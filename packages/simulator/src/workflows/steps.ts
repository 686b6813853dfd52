import type { JsonObject } from 'countersign/kit';
import type { ServedWorkflow } from '../service.ts';

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
