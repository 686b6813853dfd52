import fc from 'fast-check';

/**
 * Numbers from 0 to 1, other ones in every run. Their seed is printed; `COUNTERSIGN_SEED` asks for the same ones again.
 */
export function randomMoments(count: number): {
  readonly seed: number;
  readonly moments: readonly number[];
} {
  const asked = Number(process.env['COUNTERSIGN_SEED']);
  const seed = Number.isInteger(asked) && asked > 0 ? asked : Date.now() % 2 ** 31;
  console.log(`COUNTERSIGN_SEED=${seed}`);
  const thousandths = fc.noBias(fc.integer({ min: 0, max: 1000 }));
  const moments = fc.sample(thousandths, { seed, numRuns: count }).map((number) => number / 1000);
  return { seed, moments };
}
