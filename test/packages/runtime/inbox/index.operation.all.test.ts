import { setTimeout as delay } from 'node:timers/promises';
import { createWorker } from '@countersign/runtime/inbox';
import { afterAll, describe, expect, test } from 'vitest';
import { openPostgres } from './postgres/postgres-harness.ts';
import { startPostgres } from './replay/postgres-server.ts';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import { receipt, type StoreHarness } from './store-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const clock = Date.now;
const keys = 40;
const eventsOfKey = 50;
const junk = 3000;
/** One event of each of these keys always fails. The later events of its key wait behind it. */
const failingKeys = 4;

/**
 * Stores deliveries, each twice, while workers handle them and operators discard and delete thousands of events. Expects
 * that nothing is lost, repeated, out of order or stuck.
 * @param disturb is called again and again meanwhile
 */
async function checkOperation<Scope, Result>(
  harness: StoreHarness<Scope, Result>,
  disturb: () => Promise<void>,
): Promise<void> {
  const { store } = harness;
  const letters: string[] = [];
  // No worker handles these: their first event is dead.
  const receiveJunk = async (): Promise<unknown> =>
    await store.receive({
      ...receipt(...Array.from({ length: junk }, () => ({ kind: 'junk', orderKey: 'junk' }))),
      receivedAt: clock(),
    });
  await receiveJunk();
  const [head] = await store.claim({ owner: 'test', maxEvents: 1, leaseMs: 20_000 });
  if (head === undefined) throw new Error('expected a claim');
  await store.bury(head, { error: 'broken', afterDeadLetter: 'wait' });
  const workers = [harness.another(), harness.another()].map((store) =>
    createWorker<Scope, Result>({
      store,
      leaseMs: 2000,
      pollIntervalMs: 20,
      retry: { firstDelayMs: 20, factor: 1, attempts: 15 },
      handle: async ({ kind = '', orderKey = '' }, scope) =>
        await (
          kind.startsWith('failing')
            ? harness.failingEffect(`${orderKey} ${kind}`, new Error('refused'))
            : harness.effect(`${orderKey} ${kind}`)
        )(scope),
      onEvent: () => undefined,
      onDeadLetter: ({ event }) => letters.push(event.id),
      onError: () => undefined,
    }),
  );

  /** Sends a delivery again until it is acknowledged, as a sender does. */
  async function send(orderKey: string, kind: string): Promise<void> {
    for (;;)
      try {
        const identity = `${orderKey} ${kind}`;
        await store.receive({ ...receipt({ kind, orderKey, identity }), receivedAt: clock() });
        return;
      } catch {
        await delay(20);
      }
  }

  const sender = async (key: number): Promise<void> => {
    for (let number = 0; number < eventsOfKey; number += 1) {
      const isFailing = key < failingKeys && number === eventsOfKey - 2;
      const kind = `${isFailing ? 'failing' : 'healthy'} ${number}`;
      await send(`key${key}`, kind);
      await send(`key${key}`, kind);
    }
  };
  const progress = { sending: true };
  const operate = async (): Promise<void> => {
    while (progress.sending) {
      await store.discard({ kind: 'junk', state: 'waiting' }, 'ana').catch(() => undefined);
      const finished = { orderKey: 'junk', finishedBefore: clock() };
      await store.delete(finished, 'ana').catch(() => undefined);
      await receiveJunk().catch(() => undefined);
      await disturb();
    }
  };
  const operating = operate();
  await Promise.all(Array.from({ length: keys }, (_, key) => sender(key)));
  progress.sending = false;
  await operating;
  for (let discarded = 1; discarded > 0;)
    discarded = await store.discard({ kind: 'junk' }, 'ana').catch(() => 1);

  const finished = (keys - failingKeys) * eventsOfKey + failingKeys * (eventsOfKey - 2);
  const effects = async (): Promise<readonly string[]> =>
    (await harness.effects()).filter((value) => value.startsWith('key'));
  await expect.poll(async () => (await effects()).length, { timeout: 120_000 }).toBe(finished);
  await expect
    .poll(async () => (await store.stats()).byState, { timeout: 60_000 })
    .toMatchObject({ dead: failingKeys, waiting: failingKeys, ready: 0, retry: 0, working: 0 });
  await Promise.all(workers.map(async (worker) => await worker.close()));
  const done = await effects();
  expect(done).toHaveLength(finished);
  for (let key = 0; key < keys; key += 1) {
    const count = key < failingKeys ? eventsOfKey - 2 : eventsOfKey;
    expect(done.filter((value) => value.startsWith(`key${key} `))).toEqual(
      Array.from({ length: count }, (_, number) => `key${key} healthy ${number}`),
    );
  }
  const dead = (await store.list({ state: 'dead' })).events.map(({ id }) => id);
  expect(letters).toEqual(expect.arrayContaining(dead));
}

describe('operators act on thousands of events under load', { timeout: 300_000 }, () => {
  test('SQLite', async () => {
    await using harness = await openSqlite({ clock });
    await checkOperation(harness, async () => await delay(100));
  });

  test.skipIf(server === undefined)('Postgres, whose connections are ended meanwhile', async () => {
    await using harness = await openPostgres(server?.url ?? '', { clock });
    let ended = 0;
    await checkOperation(harness, async () => {
      const { rows } = await harness.admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
      );
      ended += rows.length;
      await delay(500);
    });
    expect(ended).toBeGreaterThan(0);
  });
});
