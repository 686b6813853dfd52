import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createKeyQueue } from '../../../../../packages/runtime/inbox/sqlite/receive.ts';
import { createOperations } from '../../../../../packages/runtime/inbox/sqlite/operate.ts';
import { claim, receipt } from '../store-harness.ts';
import { openSqlite } from './sqlite-harness.ts';

/** The number of events that one transaction changes. */
const part = 500;

test('one transaction changes a limited number of events, and the next one continues', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(
    receipt(...Array.from({ length: part + 20 }, (_, index) => ({ orderKey: `${index % 7}` }))),
  );
  const database = new DatabaseSync(harness.path);
  const operations = createOperations(database, createKeyQueue(database));
  const act = { by: 'ana', now: 0 };
  const count = (): unknown =>
    database
      .prepare("SELECT count(*) AS events FROM inbox_events WHERE state = 'discarded'")
      .get()?.['events'];
  const first = operations.discard({}, act, 0);
  expect([first.events, count()]).toEqual([part, part]);
  const second = operations.discard({}, act, first.last ?? Number.NaN);
  expect(second).toEqual({ events: 20, last: undefined });
  expect(count()).toBe(part + 20);
  database.close();
});

test('operators change any number of events, and deliveries are stored meanwhile', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  const total = 6 * part;
  const events = Array.from({ length: total }, (_, index) => ({ orderKey: `${index % 7}` }));
  await store.receive(receipt(...events));
  const held = await claim(store, 1);
  const progress = { running: true };
  const discarding = store.discard({}, 'ana').finally(() => {
    progress.running = false;
  });
  let stored = 0;
  while (progress.running) {
    await store.receive(receipt({ kind: 'meanwhile' }));
    if (progress.running) stored += 1;
  }
  // With one transaction, the first of them would wait for all events.
  expect(stored).toBeGreaterThan(3);
  expect(await discarding).toBeGreaterThanOrEqual(total - 1);
  const database = new DatabaseSync(harness.path);
  database.exec("UPDATE inbox_events SET state = 'dead' WHERE state = 'discarded'");
  database.close();
  expect(await store.retry({ orderKey: '2' }, 'ana')).toBe(Math.ceil((total - 2) / 7));
  for (const claim of held) await store.complete(claim, harness.none);
  expect((await store.list({ orderKey: '2', state: 'ready' })).events).toHaveLength(1);
});

test('a deletion of many receipts is several transactions', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  const total = 2 * part + 100;
  await Promise.all(
    Array.from({ length: total }, (_, n) => store.receive(receipt({ identity: `${n}` }))),
  );
  await store.discard({}, 'ana');
  clock.now += 1;
  const request = { finishedBefore: clock.now, identitiesBefore: clock.now };
  expect(await store.delete({ ...request, maxDeleted: part + 50 }, 'ana')).toEqual({
    receipts: part + 50,
    identities: part + 50,
  });
  expect((await store.audit(2)).map(({ detail }) => detail)).toEqual([
    '50 receipts, 50 identities',
    '500 receipts, 500 identities',
  ]);
  expect(await store.delete({ ...request, maxDeleted: total }, 'ana')).toEqual({
    receipts: part + 50,
    identities: part + 50,
  });
});
