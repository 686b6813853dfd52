import type { SimulatorContext } from '../context.ts';
import type { Delivery, Simulator } from '../simulator.ts';
import { SimulatorError } from '../simulator-error.ts';

/** Sends notifications to the receiver. */
export interface Deliverer extends Pick<
  Simulator,
  'trigger' | 'sendAgain' | 'plan' | 'play' | 'settled'
> {
  /** The receiver's base address. */
  to: string | undefined;
  /** The deliveries that the journal keeps. */
  list(): readonly Delivery[];
  close(): Promise<void>;
}

/** Creates a sender of notifications. */
export function createDeliverer(context: SimulatorContext): Deliverer {
  throw new SimulatorError('closed', `Not built yet: ${context.description.title}`);
}
