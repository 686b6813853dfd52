import { median } from './median.ts';

/** The cost of one call. */
export interface CallTime {
  readonly name: string;
  /** CPU time including garbage collection, the median of the rounds. */
  readonly microseconds: number;
}

/** A repeatable function to measure. */
export type Way = readonly [name: string, act: () => unknown];

/**
 * Measures functions alternately, so that other load of the machine affects all of them. Rounds are long enough to
 * include the garbage collection of each. The first fifth of the rounds is a warm-up.
 * @param calls the number of calls of each function in each round
 */
export async function measureInTurn(
  ways: readonly Way[],
  rounds: number,
  calls: number,
): Promise<readonly CallTime[]> {
  const times = ways.map((): number[] => []);
  for (let round = 0; round < countRounds(rounds); round++) {
    for (const [index, [, act]] of ways.entries()) {
      const start = process.cpuUsage();
      await repeat(act, calls);
      const { user, system } = process.cpuUsage(start);
      if (round >= rounds / 4) times[index]?.push((user + system) / calls);
    }
  }
  return ways.map(([name], index) => ({ name, microseconds: median(times[index] ?? []) }));
}

/** The number of rounds with the warm-up. */
export function countRounds(rounds: number): number {
  return Math.ceil(rounds * 1.25);
}

async function repeat(act: () => unknown, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const done = act();
    // A synchronous result does not wait for the event loop.
    if (done instanceof Promise) await done;
  }
}
