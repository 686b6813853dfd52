import type { SimulatorContext } from '../context.ts';
import { type CallFault, callFaults } from '../faults.ts';

/** The faults of a call, with the delay of `slow-response` in milliseconds. */
export interface ChosenFaults {
  readonly names: readonly CallFault[];
  readonly delay: number;
}

/** No fault. */
export const noFaults: ChosenFaults = { names: [], delay: 0 };

/** The limits of the delay of a slow response, in milliseconds of the simulator's clock. */
const slowest = { from: 500, to: 3000 } as const;

/** Returns the faults of a call by its number. The seed decides them. */
export function chooseFaults(
  { faults, random }: Pick<SimulatorContext, 'faults' | 'random'>,
  call: number,
): ChosenFaults {
  const { current } = faults;
  if (callFaults.every((name) => (current[name] ?? 0) <= 0)) return noFaults;
  const source = random.fork(`call faults ${call}`);
  // Each fault draws its number, so that the rate of one does not change the others.
  const names = callFaults.filter((name) => source.fraction() < (current[name] ?? 0));
  return { names, delay: source.integer(slowest.from, slowest.to) };
}
