import { expect, test, vi } from 'vitest';
import {
  createInbox,
  createWorker,
  retentionActor,
  type InboxOperations,
} from '@countersign/runtime/inbox';
import { openSqlite, type SqliteHarness } from './sqlite/sqlite-harness.ts';
import { startRetention } from '../../../../packages/runtime/inbox/store.ts';
import { claim } from './store-harness.ts';

const day = 86_400_000;

/** Stores an event and handles it at once. */
async function finish({ store, clock, none }: SqliteHarness, identity: string): Promise<void> {
  await createInbox({ store, clock: () => clock.now }).receive({
    method: 'POST',
    target: '/',
    headers: [],
    body: Buffer.from(identity),
    events: [{ identity, kind: identity }],
  });
  for (const held of await claim(store)) await store.complete(held, none);
}

async function kinds({ store }: SqliteHarness): Promise<readonly (string | undefined)[]> {
  return (await store.list()).events.map(({ kind }) => kind);
}

test('a worker deletes finished payloads by age, and identities later', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await finish(harness, 'old');
  clock.now += 20 * day;
  await finish(harness, 'new');
  await store.receive({
    id: 'unfinished',
    receivedAt: 0,
    method: 'POST',
    target: '/',
    headers: [],
    body: Buffer.of(),
    events: [{ kind: 'unfinished' }],
  });
  clock.now += 15 * day;
  const worker = createWorker({
    store,
    clock: () => clock.now,
    concurrency: 1,
    retention: { finishedAfterMs: 30 * day, identitiesAfterMs: 90 * day, intervalMs: 5 },
    handle: async () => {
      throw new Error('not yet');
    },
  });
  await expect.poll(async () => await kinds(harness)).toEqual(['new', 'unfinished']);
  await finish(harness, 'old');
  expect(await kinds(harness)).toEqual(['new', 'unfinished']);
  clock.now += 60 * day;
  await expect.poll(async () => await kinds(harness)).toEqual(['unfinished']);
  await expect.poll(async () => (await store.audit())[0]?.detail).toContain('1 identities');
  await worker.close();
  await finish(harness, 'old');
  expect(await kinds(harness)).toEqual(['unfinished', 'old']);
  const changes = new Set((await store.audit()).map(({ by, action }) => `${by}: ${action}`));
  expect(changes).toEqual(new Set([`${retentionActor}: delete`]));
});

test('without `retention`, nothing is deleted', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await finish(harness, 'old');
  clock.now += 10_000 * day;
  await using calls = countDeletions(store);
  const worker = createWorker({ store, clock: () => clock.now, handle: async () => undefined });
  await worker.readiness();
  await worker.close();
  expect(calls.count).toBe(0);
  expect(await kinds(harness)).toEqual(['old']);
});

function countDeletions(store: InboxOperations): { readonly count: number } & AsyncDisposable {
  const spy = vi.spyOn(store, 'delete');
  return {
    get count() {
      return spy.mock.calls.length;
    },
    async [Symbol.asyncDispose]() {
      spy.mockRestore();
    },
  };
}

test('large deletions are made in batches, and a stop ends them', async () => {
  const clock = { now: day };
  const limits: (number | undefined)[] = [];
  const paused = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const retention = startRetention(
    {
      async delete({ maxDeleted = 0 }) {
        limits.push(maxDeleted);
        if (limits.length === 3) {
          ended.resolve();
          await paused.promise;
        }
        return { receipts: maxDeleted, identities: 0 };
      },
      pruneAudit: async () => 0,
    },
    { finishedAfterMs: 0 },
    { clock: () => clock.now, report: () => undefined },
  );
  await ended.promise;
  const stopping = retention.stop();
  paused.resolve();
  await stopping;
  expect(limits).toEqual([500, 500, 500]);
});

test('records of operators are deleted in batches, by a default age and number', async () => {
  const clock = { now: 1000 * day };
  const requests: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const retention = startRetention(
    {
      delete: async () => ({ receipts: 0, identities: 0 }),
      async pruneAudit(request) {
        requests.push(request);
        if (requests.length === 3) ended.resolve();
        return requests.length < 3 ? request.maxDeleted : 0;
      },
    },
    { finishedAfterMs: 0 },
    { clock: () => clock.now, report: () => undefined },
  );
  await ended.promise;
  await retention.stop();
  const request = { before: 600 * day, maxRecords: 1_000_000, maxDeleted: 500 };
  expect(requests).toEqual([request, request, request]);
});

test('a deletion that fails is reported and tried again', async () => {
  const errors: unknown[] = [];
  const again = Promise.withResolvers<void>();
  const failure = new Error('unavailable');
  const retention = startRetention(
    {
      async delete() {
        if (errors.length === 0) throw failure;
        again.resolve();
        return { receipts: 0, identities: 0 };
      },
      pruneAudit: async () => 0,
    },
    { finishedAfterMs: 0, intervalMs: 1 },
    { clock: Date.now, report: (error) => errors.push(error) },
  );
  await again.promise;
  await retention.stop();
  expect(errors).toEqual([failure]);
});

test('invalid times are refused', async () => {
  await using harness = await openSqlite();
  for (const retention of [
    { finishedAfterMs: -1 },
    { finishedAfterMs: Number.NaN },
    { finishedAfterMs: Infinity },
    { finishedAfterMs: 2, identitiesAfterMs: 1 },
    { finishedAfterMs: 2, identitiesAfterMs: Infinity },
    { finishedAfterMs: 1, auditAfterMs: -1 },
    { finishedAfterMs: 1, auditAfterMs: Infinity },
    { finishedAfterMs: 1, maxAuditRecords: -1 },
    { finishedAfterMs: 1, maxAuditRecords: 0.5 },
    { finishedAfterMs: 1, intervalMs: 0 },
    { finishedAfterMs: 1, intervalMs: 2 ** 31 },
  ])
    expect(() =>
      createWorker({ store: harness.store, handle: async () => undefined, retention }),
    ).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});
