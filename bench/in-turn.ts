import { median } from './median.ts';

/** What one call of a way costs. */
export interface CallTime {
  readonly name: string;
  /** Of the processor, with what collects garbage; the median of the rounds. */
  readonly microseconds: number;
}

/** Something to measure, that can be done again and again. */
export type Way = readonly [name: string, act: () => unknown];

/**
 * Measures ways in turn, in rounds so long that each pays for its own garbage, so that whatever else the machine
 * does falls on all of them. The first fifth of the rounds only warms up.
 * @param calls of each way in each round
 */
export async function measureInTurn(
  ways: readonly Way[],
  rounds: number,
  calls: number,
): Promise<readonly CallTime[]> {
  const times = ways.map((): number[] => []);
  for (let round = 0; round < rounds * 1.25; round++) {
    for (const [index, [, act]] of ways.entries()) {
      const start = process.cpuUsage();
      await repeat(act, calls);
      const { user, system } = process.cpuUsage(start);
      if (round >= rounds / 4) times[index]?.push((user + system) / calls);
    }
  }
  return ways.map(([name], index) => ({ name, microseconds: median(times[index] ?? []) }));
}

async function repeat(act: () => unknown, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const done = act();
    // What is done at once pays for no turn of the loop.
    if (done instanceof Promise) await done;
  }
}
