import { expect, test } from 'vitest';
import { killUnderLoad } from './engine-kills.ts';
import { startFakeSqs } from './fake-sqs.ts';

test.each([
  ['receiver', 20],
  ['consumer', 20],
] as const)(
  'on a fake of SQS, nothing that was acknowledged is lost or reordered while the %s is killed %i times',
  async (victim, kills) => {
    await using server = await startFakeSqs(2000);
    const outcome = await killUnderLoad({ name: 'sqs', url: server.url }, victim, kills);
    expect(outcome).toMatchObject({ lost: 0, reordered: 0, kills });
    expect(outcome.acknowledged).toBeGreaterThan(50);
  },
  600_000,
);
