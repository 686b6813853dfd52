import type { Delivery, Simulator } from '../simulator.ts';
import { createRefusalWatch } from './refusal-watch.ts';

/** The outcome of a number of deliveries. */
export interface DeliveriesOutcome {
  readonly deliveries: readonly Delivery[];
  /** How many of them repeat an event, because the contract accepts no other value at the places of `x-dedupe-by`. */
  readonly repeated: number;
}

/**
 * Sends a number of notifications, of all kinds. Ends early when the receiver refuses all of them.
 * @param report is called once, with a sentence about a receiver that refuses all
 */
export async function sendDeliveries(
  simulator: Simulator,
  count: number,
  report: (sentence: string) => void,
): Promise<DeliveriesOutcome> {
  const plan = simulator.plan({ count });
  const watch = createRefusalWatch(plan.length);
  const unsubscribe = simulator.journal.subscribe((entry) => {
    const { report: sentence, isHopeless } = watch(entry);
    if (sentence !== undefined) report(sentence);
    if (isHopeless) void simulator.close();
  });
  const deliveries = await simulator.play(plan);
  unsubscribe();
  return { deliveries, repeated: plan.filter(({ isDuplicate }) => isDuplicate === true).length };
}
