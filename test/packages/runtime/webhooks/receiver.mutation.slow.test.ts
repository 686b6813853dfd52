import { expect, test } from 'vitest';
import { campaign, type Counts } from './signed/campaign.ts';
import { combinations, type Signing } from './signed/contracts.ts';

const all = [...combinations()];

const expected: Readonly<Record<Signing, Counts>> = {
  header: { contracts: 168, refused: 0, deliveries: 832, changes: 8015, authentic: 0 },
  root: { contracts: 56, refused: 336, deliveries: 378, changes: 1550, authentic: 656 },
  each: { contracts: 224, refused: 168, deliveries: 1008, changes: 16_324, authentic: 8655 },
  both: { contracts: 56, refused: 336, deliveries: 378, changes: 1550, authentic: 0 },
  either: { contracts: 0, refused: 0, deliveries: 0, changes: 0, authentic: 0 },
};

// Every combination of a contract, with a part of the changes. `mutation.all.test.ts` makes all of them.
test.each(Object.keys(expected) as Signing[])(
  'what handlers get equals what was signed, in every contract with a signature: %s',
  async (signing) => {
    const combined = all.filter((combination) => combination.signing === signing);
    const { counts, problems } = await campaign(combined, {
      deliveries: 1,
      oneOf: 29,
      settings: 3,
    });
    expect(problems).toEqual([]);
    expect(counts).toEqual(expected[signing]);
  },
  600_000,
);
