import { expect, test } from 'vitest';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';
import { generateReceiver, settings, startReceiver } from './signed/attack.ts';
import { attackRequests } from './signed/attack-requests.ts';
import { campaign } from './signed/campaign.ts';
import {
  combinations,
  furtherCombinations,
  genuineDeliveries,
  toContract,
  type Combination,
} from './signed/contracts.ts';
import { placedForms, placeNames } from './signed/requests.ts';

const all = [...combinations(), ...furtherCombinations()];

// `receiver.mutation.all.test.ts` has every combination.
test('what handlers get equals what was signed, whatever is changed in a delivery', async () => {
  const sample = all.filter((_, index) => index % 53 === 0);
  const { counts, problems } = await campaign(sample, { deliveries: 1, oneOf: 31, settings: 2 });
  expect(problems).toEqual([]);
  expect(counts).toEqual({
    contracts: 14,
    refused: 26,
    deliveries: 91,
    changes: 669,
    authentic: 215,
  });
});

test('what handlers get equals what was signed in other parts of a request', async () => {
  const all: string[] = [];
  let changes = 0;
  for (const [index, place] of placeNames.entries()) {
    const form = placedForms[(index * 3) % placedForms.length]!;
    const setting = settings[(index * 5) % settings.length]!;
    const { counts, problems } = await attackRequests(place, form, [setting], 5);
    changes += counts.changes;
    all.push(...problems);
  }
  expect(all).toEqual([]);
  expect(changes).toBe(1075);
});

test.each(settings)('values beside a signed list reach no handler, with %j', async (setting) => {
  const combination: Combination = {
    signing: 'each',
    variant: 'list by an unsigned member',
    amount: 'number',
    recognizing: 'one kind',
    id: 'string',
  };
  const { contract } = await lowerFiles({ 'openapi.yaml': toContract(combination) });
  await using generated = await generateReceiver(contract, combination);
  const [genuine] = [...genuineDeliveries(combination)];
  const { send, handled } = startReceiver(generated, setting);
  const { items } = JSON.parse(genuine?.body ?? '') as { readonly items: readonly object[] };
  // Without the member that tells that it is a list, the body is taken for an order.
  const forged = { id: 'forged', amount: 1, type: 'paid', seal: 'x', items };
  await send(JSON.stringify(forged), {});
  // A worker gets it as one that violates the contract.
  await send(JSON.stringify({ ...forged, note: true }), {});
  expect(await handled()).toEqual([]);
  await send(genuine?.body ?? '', {});
  expect(await handled()).toHaveLength(items.length);
});
