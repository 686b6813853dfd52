import { expect, test } from 'vitest';
import { lowerFiles } from '../../../contract/lower/lower-files.ts';
import { generateReceiver, settings, startReceiver } from './signed/attack.ts';
import { campaign } from './signed/campaign.ts';
import {
  combinations,
  genuineDeliveries,
  toContract,
  type Combination,
} from './signed/contracts.ts';

const all = [...combinations()];

// `receiver.mutation.slow.test.ts` has every combination.
test('what handlers get equals what was signed, whatever is changed in a delivery', async () => {
  const sample = all.filter((_, index) => index % 47 === 0);
  const { counts, problems } = await campaign(sample, { deliveries: 1, oneOf: 31, settings: 2 });
  expect(problems).toEqual([]);
  expect(counts).toEqual({
    contracts: 16,
    refused: 26,
    deliveries: 101,
    changes: 705,
    authentic: 221,
  });
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
