/** Whether this is a run of every test (`npm run test:all`), which no other waits for. */
export const isEveryTestRun: boolean = process.env['COUNTERSIGN_TESTS'] === 'all';

/** Returns every case where every test is run, and the first of each `size` cases in other runs: the same code runs for all. */
export function someOf<T>(size: number, cases: readonly T[]): readonly T[] {
  return isEveryTestRun ? cases : cases.filter((_, index) => index % size === 0);
}

/** Returns how many random cases a run has: all of them where every test is run, and a quarter in other runs. */
export function runsOf(count: number): number {
  return isEveryTestRun ? count : Math.ceil(count / 4);
}
