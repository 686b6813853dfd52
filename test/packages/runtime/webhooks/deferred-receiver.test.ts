import { afterEach, expect, test, vi } from 'vitest';
import { deferReceiver, WebhookError } from '../../../../packages/runtime/webhooks/receiver.ts';
import { createBareReceiver } from './bare-receiver.ts';

const request = {
  method: 'POST',
  target: '/',
  headers: () => [],
  read: () => new TextEncoder().encode('{}'),
};

afterEach(() => vi.restoreAllMocks());

test('a deferred receiver is created once, with the first delivery', async () => {
  const create = vi.fn(() => createBareReceiver().receive);
  const receive = deferReceiver(create);
  expect(create).not.toHaveBeenCalled();
  expect([(await receive(request)).status, (await receive(request)).status]).toEqual([200, 200]);
  expect(create).toHaveBeenCalledTimes(1);
});

test.each([
  [new WebhookError('missing-secret', 'The secret is missing.'), 'The secret is missing.'],
  [new Error('The password is 1234.'), 'Its options could not be created.'],
])('one that cannot be created answers with 500, warns, and tries again', async (error, help) => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  let attempts = 0;
  const receive = deferReceiver(() => {
    attempts += 1;
    if (attempts < 3) throw error;
    return createBareReceiver().receive;
  });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) statuses.push((await receive(request)).status);
  expect(statuses).toEqual([500, 500, 200, 200]);
  expect(warn.mock.calls).toHaveLength(1);
  const [text, options] = warn.mock.calls[0] ?? [];
  expect(text).toContain('The receiver of webhooks could not be created: ');
  expect(options).toMatchObject({
    code: 'COUNTERSIGN_RECEIVER_FAILED',
    detail: expect.stringContaining(help),
  });
  expect(JSON.stringify(warn.mock.calls)).not.toContain('1234');
});
