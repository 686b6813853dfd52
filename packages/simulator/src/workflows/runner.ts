import type { CallServer } from '../calls/call-server.ts';
import type { SimulatorContext } from '../context.ts';
import type { Deliverer } from '../deliveries/deliverer.ts';
import type { Simulator } from '../simulator.ts';
import type { WorkflowRun } from '../workflow-run.ts';
import { SimulatorError } from '../simulator-error.ts';

/** Runs workflows against an integrator. */
export interface Runner extends Pick<Simulator, 'start'> {
  readonly runs: readonly WorkflowRun[];
  close(): void;
}

/** Creates a runner of the contract's workflows. */
export function createRunner(
  context: SimulatorContext,
  calls: Pick<CallServer, 'onCall'>,
  deliverer: Pick<Deliverer, 'trigger'>,
): Runner {
  return {
    start() {
      throw new SimulatorError('closed', `Not built yet: ${context.description.title}`);
    },
    runs: [],
    close: () => void [calls, deliverer],
  };
}
