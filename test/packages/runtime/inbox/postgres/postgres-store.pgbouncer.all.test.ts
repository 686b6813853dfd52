import { afterAll, expect, onTestFinished, test } from 'vitest';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { startPgBouncer } from '../replay/pgbouncer.ts';
import { openPool, startPostgres } from '../replay/postgres-server.ts';
import { openPostgres } from './postgres-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.for(['session', 'transaction'] as const)(
  'the inbox works behind PgBouncer in %s mode',
  async (mode, { skip }) => {
    const bouncer = server && (await startPgBouncer(server.url, mode));
    if (server === undefined || bouncer === undefined) {
      skip('There is no Postgres, or no pgbouncer on the PATH.');
      return;
    }
    onTestFinished(() => bouncer[Symbol.asyncDispose]());
    await using harness = await openPostgres(server.url);
    // In session mode, each client keeps one of PgBouncer's three connections.
    const pool = openPool(bouncer.url, { max: mode === 'session' ? 3 : 10 });
    onTestFinished(() => pool.end());
    const store = postgresStore(pool, { schema: harness.schema, timeoutMs: 30_000 });
    await store.migrate();
    const inbox = createInbox({ store });
    const worker = createWorker({
      store,
      pollIntervalMs: 10,
      handle: async (event, { transaction }) => {
        await harness.effect(Buffer.from(event.body).toString())({ transaction });
      },
    });
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    for (const number of numbers)
      await inbox.receive({
        method: 'POST',
        target: '/',
        headers: [],
        body: Buffer.from(`${number}`),
        events: [{ orderKey: `${number % 5}`, identity: `${number}` }],
      });
    await expect.poll(async () => (await store.stats()).depth, { timeout: 30_000 }).toBe(0);
    await worker.close();
    await store.close();
    const effects = (await harness.effects()).map(Number);
    const ofKey = (all: readonly number[], key: number): readonly number[] =>
      all.filter((number) => number % 5 === key);
    for (const key of [0, 1, 2, 3, 4]) expect(ofKey(effects, key)).toEqual(ofKey(numbers, key));
  },
);
