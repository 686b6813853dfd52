import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type IoRedisClient,
  type NodeRedisClient,
  redisReplayStore,
} from '../../../../../packages/runtime/inbox/replay/redis.ts';
import { handledOnce, runReadmeExample } from './readme-example.ts';
import { startRedis } from './redis-server.ts';
import { testReplayStore } from './replay-conformance.ts';

// Not run where there is no REDIS_URL and no `redis-server` on the PATH.
const server = await startRedis();
const url = server?.url ?? '';
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

/** A connected client of one of the two libraries. */
interface Client extends Disposable {
  readonly client: NodeRedisClient | IoRedisClient;
}

const libraries: readonly (readonly [string, () => Client])[] = [
  [
    'redis',
    () => {
      const client = createClient({ url });
      // Without a listener, the end of the server ends this process.
      client.on('error', () => undefined);
      // Commands wait for the connection.
      client.connect().catch(() => undefined);
      return {
        client,
        [Symbol.dispose]: () => {
          client.destroy();
        },
      };
    },
  ],
  [
    'ioredis',
    () => {
      const client = new Redis(url);
      client.on('error', () => undefined);
      return {
        client,
        [Symbol.dispose]: () => {
          client.disconnect();
        },
      };
    },
  ],
];

function newPrefix(): string {
  return `test:${randomBytes(6).toString('hex')}:`;
}

for (const [name, connect] of libraries)
  testReplayStore(
    name,
    async ({ timeToLiveMs }) => {
      const prefix = newPrefix();
      const admin = new Redis(url);
      const open: Client[] = [];
      const closeAll = async (): Promise<void> => {
        for (const client of open.splice(0)) client[Symbol.dispose]();
        await Promise.resolve();
      };
      return await Promise.resolve({
        open: () => {
          const connected = open.length < 5 ? connect() : open[0];
          if (connected === undefined) throw new Error('There is a client.');
          if (!open.includes(connected)) open.push(connected);
          return redisReplayStore(connected.client, { prefix, timeToLiveMs, timeoutMs: 30_000 });
        },
        advance: async (milliseconds) => {
          for (const key of await admin.keys(`${prefix}*`)) {
            const left = (await admin.pttl(key)) - milliseconds;
            await (left > 0 ? admin.pexpire(key, left) : admin.del(key));
          }
        },
        closeAll,
        [Symbol.asyncDispose]: async () => {
          await closeAll();
          const keys = await admin.keys(`${prefix}*`);
          if (keys.length > 0) await admin.del(...keys);
          admin.disconnect();
        },
      });
    },
    { skip: server === undefined },
  );

describe.skipIf(server?.control === undefined).each(libraries)(
  'a server that stops, with %s',
  (_, connect) => {
    test('is an error after the timeout, and works again with what was confirmed', async () => {
      const connected = connect();
      onTestFinished(() => {
        connected[Symbol.dispose]();
      });
      const store = redisReplayStore(connected.client, { prefix: newPrefix(), timeoutMs: 60 });
      const failed = { name: 'InboxError', code: 'store-failed' };
      await store.confirm('a', 'one');
      await server?.control?.stop();
      try {
        await expect(store.claim('a', 60_000, 'two')).rejects.toMatchObject(failed);
        await expect(store.confirm('b', 'two')).rejects.toMatchObject(failed);
        await expect(store.release('c', 'two')).rejects.toMatchObject(failed);
      } finally {
        await server?.control?.start();
      }
      await expect
        .poll(() => store.claim('a', 60_000, 'two').catch(String), { timeout: 20_000 })
        .toBe('seen');
    });

    test('that is suspended is an error, and a claim that comes too late is released', async () => {
      const connected = connect();
      onTestFinished(() => {
        connected[Symbol.dispose]();
      });
      const store = redisReplayStore(connected.client, { prefix: newPrefix(), timeoutMs: 60 });
      expect(await store.claim('connected', 60_000, 'one')).toBe('claimed');
      server?.control?.process().kill('SIGSTOP');
      try {
        await expect(store.claim('a', 600_000, 'one')).rejects.toMatchObject({
          code: 'store-failed',
        });
      } finally {
        server?.control?.process().kill('SIGCONT');
      }
      await expect
        .poll(() => store.claim('a', 600_000, 'two').catch(String), { timeout: 20_000 })
        .toBe('claimed');
    });
  },
);

test.skipIf(server === undefined)('keys have the prefix, and the server removes them', async () => {
  const client = new Redis(url);
  onTestFinished(() => {
    client.disconnect();
  });
  const prefix = newPrefix();
  const store = redisReplayStore(client, { prefix, timeToLiveMs: 5_000_000 });
  await store.claim('a', 60_000, 'one');
  await store.confirm('b', 'one');
  expect((await client.keys(`${prefix}*`)).toSorted()).toEqual([`${prefix}a`, `${prefix}b`]);
  const [claim, confirmed] = [await client.pttl(`${prefix}a`), await client.pttl(`${prefix}b`)];
  expect(claim > 0 && claim <= 60_000, String(claim)).toBe(true);
  expect(confirmed > 60_000 && confirmed <= 5_000_000, String(confirmed)).toBe(true);
});

test.skipIf(server === undefined)("the README's example handles an event once", async () => {
  const client = new Redis(url);
  onTestFinished(() => {
    client.disconnect();
  });
  const remove = async (): Promise<void> => {
    const keys = await client.keys('countersign:replay:*');
    if (keys.length > 0) await client.del(...keys);
  };
  await remove();
  expect(await runReadmeExample('redis', { REDIS_URL: url })).toEqual(handledOnce);
  await remove();
});
