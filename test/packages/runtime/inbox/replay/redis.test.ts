import { expect, test } from 'vitest';
import { redisReplayStore } from '../../../../../packages/runtime/inbox/replay/redis.ts';

test.each([['claimed'], ['seen'], ['busy']])('a client may return bytes: %s', async (reply) => {
  const store = redisReplayStore({ sendCommand: () => Promise.resolve(Buffer.from(reply)) });
  expect(await store.claim('a', 1_000, 'one')).toBe(reply);
});

test.each([['OK'], [null], [1], [true], [[]]])('the reply %j is an error', async (reply) => {
  const store = redisReplayStore({ call: () => Promise.resolve(reply) });
  await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject({ code: 'store-failed' });
});

test('a client that keeps commands is an error after the timeout, and its late claim is released', async () => {
  const commands: (readonly string[])[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const client = {
    sendCommand: async ([, , ...rest]: readonly string[]) => {
      commands.push(rest.slice(1));
      return commands.length === 1 ? await promise : 1;
    },
  };
  const store = redisReplayStore(client, { prefix: 'p:', timeoutMs: 5 });
  await expect(store.claim('a', 1_000.5, 'one')).rejects.toMatchObject({
    name: 'InboxError',
    code: 'store-failed',
  });
  resolve('claimed');
  await expect
    .poll(() => commands)
    .toEqual([
      ['p:a', 'claim:one', '1001'],
      ['p:a', 'claim:one'],
    ]);
});

test('an error of the client is the cause of the error', async () => {
  const cause = new Error('Connection is closed.');
  const store = redisReplayStore({ call: () => Promise.reject(cause) });
  const failed = { name: 'InboxError', code: 'store-failed', cause };
  await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject(failed);
  await expect(store.confirm('a', 'one')).rejects.toMatchObject(failed);
  await expect(store.release('a', 'one')).rejects.toMatchObject(failed);
});

test.each([
  { timeToLiveMs: 0 },
  { timeToLiveMs: Number.NaN },
  { timeoutMs: 0 },
  { timeoutMs: 2 ** 31 },
])('%j is an invalid option', (options) => {
  expect(() => redisReplayStore({ call: () => Promise.resolve() }, options)).toThrow(
    expect.objectContaining({ code: 'invalid-option' }) as Error,
  );
});
