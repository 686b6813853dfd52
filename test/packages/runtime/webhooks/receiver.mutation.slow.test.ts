import { expect, test } from 'vitest';
import { campaign } from './signed/campaign.ts';
import { combinations, furtherCombinations } from './signed/contracts.ts';

// One of seventeen combinations. `receiver.mutation.all.test.ts` has every one.
test.each([
  ['signatures and wire formats', [...combinations()]],
  ['algorithms, encodings and separators', [...furtherCombinations()]],
])(
  'what handlers get equals what was signed, in some contracts of %s',
  async (_, all) => {
    const sample = all.filter((__, index) => index % 17 === 0);
    const { counts, problems } = await campaign(sample, { deliveries: 1, oneOf: 29, settings: 3 });
    expect(problems).toEqual([]);
    expect(counts.contracts + counts.refused).toBe(sample.length);
    expect(counts.authentic).toBeGreaterThan(counts.contracts);
    expect(counts.changes - counts.authentic).toBeGreaterThan(10 * counts.contracts);
  },
  300_000,
);
