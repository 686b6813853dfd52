import { expect, test } from 'vitest';
import { campaign, type Counts } from './signed/campaign.ts';
import { settings } from './signed/attack.ts';
import { attackRequests } from './signed/attack-requests.ts';
import { combinations, furtherCombinations, type Signing } from './signed/contracts.ts';
import { placedForms, placeNames } from './signed/requests.ts';

const all = [...combinations()];

const expected: Readonly<Record<Signing, Counts>> = {
  header: { contracts: 210, refused: 0, deliveries: 1120, changes: 11_778, authentic: 178 },
  root: { contracts: 62, refused: 372, deliveries: 459, changes: 1696, authentic: 692 },
  each: { contracts: 248, refused: 186, deliveries: 1224, changes: 18_050, authentic: 9564 },
  both: { contracts: 62, refused: 372, deliveries: 459, changes: 2173, authentic: 56 },
  either: { contracts: 62, refused: 372, deliveries: 459, changes: 1696, authentic: 692 },
};

// Every combination of a contract, with a part of the changes.
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

const further: Readonly<Record<Signing, Partial<Counts>>> = {
  // The length of a signature with ECDSA differs, and with it the number of changes.
  header: { contracts: 62, refused: 0, deliveries: 552 },
  root: { contracts: 18, refused: 4, deliveries: 162, changes: 483, authentic: 206 },
  each: { contracts: 18, refused: 4, deliveries: 162, changes: 1215, authentic: 634 },
  both: { contracts: 28, refused: 4, deliveries: 252, changes: 991, authentic: 45 },
  either: { contracts: 28, refused: 4, deliveries: 504, changes: 750, authentic: 332 },
};

test.each(Object.keys(further) as Signing[])(
  'what handlers get equals what was signed, by every algorithm, encoding, separator and header: %s',
  async (signing) => {
    const combined = [...furtherCombinations()].filter(
      (combination) => combination.signing === signing,
    );
    const { counts, problems } = await campaign(combined, {
      deliveries: 1,
      oneOf: 29,
      settings: 3,
    });
    expect(problems).toEqual([]);
    expect(counts).toMatchObject(further[signing]);
  },
  600_000,
);

const requests = {
  form: { deliveries: 66, changes: 12870, authentic: 5874 },
  query: { deliveries: 66, changes: 8646, authentic: 594 },
  label: { deliveries: 66, changes: 8118, authentic: 132 },
  'unsigned label': { deliveries: 66, changes: 8118, authentic: 4224 },
  'label and list': { deliveries: 66, changes: 12870, authentic: 336 },
  'unsigned label and list': { deliveries: 66, changes: 12870, authentic: 4362 },
  'label and list inside': { deliveries: 66, changes: 12870, authentic: 336 },
  'label and other name': { deliveries: 66, changes: 8118, authentic: 132 },
  'label and signed elements': { deliveries: 66, changes: 30249, authentic: 7482 },
  header: { deliveries: 66, changes: 6732, authentic: 1584 },
};

test.each(placeNames)(
  'what handlers get equals what was signed in a request, by every algorithm and header: %s',
  async (place) => {
    const sum = { deliveries: 0, changes: 0, authentic: 0 };
    for (const [index, form] of placedForms.entries()) {
      const some = settings.filter((_, position) => (position + index) % 4 === 0);
      const { counts, problems } = await attackRequests(place, form, some, 3);
      expect(problems).toEqual([]);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
    }
    expect(sum).toEqual(requests[place]);
  },
  600_000,
);
