import { expect, test } from 'vitest';
import { SampleMaker } from '../../../../packages/simulator/src/samples/sample-maker.ts';
import { readWebhooks } from '../../../targets/webhooks/octokit/read-document.ts';

test('makes payloads of the webhooks of GitHub', async () => {
  const contract = await readWebhooks();
  const names = [...new Set(contract.notifications.map(({ payload }) => payload))];
  const maker = new SampleMaker(contract);
  const failed: string[] = [];
  let withOptionalMembers = 0;
  try {
    for (const name of names) {
      const { values } = await maker.make(name, 2);
      if (values.length === 0) failed.push(name);
      // Some are so large that both samples have only the required members.
      if (values.length === 2) withOptionalMembers += 1;
    }
  } finally {
    maker.close();
  }
  // Both require members that are an object and null at the same time.
  expect(failed).toEqual([
    'webhook-repository-advisory-published',
    'webhook-repository-advisory-reported',
  ]);
  expect(withOptionalMembers).toBeGreaterThan(230);
}, 120_000);
