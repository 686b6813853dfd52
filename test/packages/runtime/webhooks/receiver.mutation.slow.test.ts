import { expect, test } from 'vitest';
import { campaign, type Counts } from './signed/campaign.ts';
import { combinations, type Signing } from './signed/contracts.ts';

const all = [...combinations()];

const expected: Readonly<Record<Signing, Counts>> = {
  header: { contracts: 210, refused: 0, deliveries: 1120, changes: 10_160, authentic: 0 },
  root: { contracts: 62, refused: 372, deliveries: 459, changes: 1696, authentic: 692 },
  each: { contracts: 248, refused: 186, deliveries: 1224, changes: 18_050, authentic: 9564 },
  both: { contracts: 62, refused: 372, deliveries: 459, changes: 1696, authentic: 0 },
  either: { contracts: 62, refused: 372, deliveries: 459, changes: 1696, authentic: 692 },
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
