import { DatabaseSync } from 'node:sqlite';
import type { Claim } from '@countersign/runtime/inbox';
import { commit, type SqliteResult } from '@countersign/runtime/inbox/sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { claim, receipt } from '../store-harness.ts';
import { openSqlite, type SqliteHarness } from './sqlite-harness.ts';

/** What a handler of one event does after it has written the number of the event. */
type Also = (database: DatabaseSync) => unknown;

/** Stores events and completes them at the same time. Returns what happened to each, and how often each effect ran. */
async function completeTogether(
  harness: SqliteHarness,
  count: number,
  also: Readonly<Record<number, Also>> = {},
): Promise<{ outcomes: readonly unknown[]; runs: readonly number[]; claims: readonly Claim[] }> {
  const { store } = harness;
  await store.receive(receipt(...Array.from({ length: count }, () => ({}))));
  const claims = await claim(store, count);
  const runs = claims.map(() => 0);
  const results = await Promise.allSettled(
    claims.map((held, index) =>
      store.complete(held, async (): Promise<SqliteResult> =>
        commit((database) => {
          runs[index] = (runs[index] ?? 0) + 1;
          database.prepare('INSERT INTO effects (value) VALUES (?)').run(String(index));
          also[index]?.(database);
        }),
      ),
    ),
  );
  const outcomes = results.map((result) =>
    result.status === 'fulfilled' ? result.value : result.reason,
  );
  return { outcomes, runs, claims };
}

async function statesOf({ store }: SqliteHarness): Promise<readonly string[]> {
  return (await store.list()).events.map(({ state }) => state);
}

test('effects that wait at the same time are committed together', async () => {
  await using harness = await openSqlite();
  const observer = new DatabaseSync(harness.path);
  const version = (): unknown => observer.prepare('PRAGMA data_version').get()?.['data_version'];
  const commits = new Set<unknown>();
  const { store } = harness;
  await store.receive(receipt(...Array.from({ length: 40 }, () => ({}))));
  const claims = await claim(store, 40);
  expect(claims).toHaveLength(40);
  await Promise.all(
    claims.map(async (held) => {
      expect(await store.complete(held, harness.effect(held.event.id))).toBe('completed');
      commits.add(version());
    }),
  );
  observer.close();
  expect(commits.size).toBeLessThan(10);
  expect(await harness.effects()).toHaveLength(40);
});

test.each([
  { waiting: 'no receipts', receives: false, most: 8 },
  { waiting: 'receipts', receives: true, most: 2 },
])('while $waiting wait, a transaction takes effects for $most ms', async ({ receives, most }) => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt(...Array.from({ length: 20 }, () => ({}))));
  const claims = await claim(store, 20);
  let milliseconds = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds);
  onTestFinished(() => clock.mockRestore());
  const sender = { sends: receives };
  const receive = async (): Promise<void> => {
    while (sender.sends) await store.receive(receipt({}));
  };
  const receiving = receive();
  // The effects of a transaction run in one turn of the event loop. Each takes a millisecond.
  const sizes: number[] = [];
  let isOpen = false;
  const completed = claims.map((held) =>
    store.complete(held, async (): Promise<SqliteResult> =>
      commit(() => {
        if (!isOpen) {
          sizes.push(0);
          queueMicrotask(() => {
            isOpen = false;
          });
        }
        isOpen = true;
        sizes.push((sizes.pop() ?? 0) + 1);
        milliseconds += 1;
      }),
    ),
  );
  expect(await Promise.all(completed)).toEqual(claims.map(() => 'completed'));
  sender.sends = false;
  await receiving;
  expect([Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0)]).toEqual([most, 20]);
});

test('an effect that fails undoes itself, and no other of its transaction', async () => {
  await using harness = await openSqlite();
  const error = new Error('refused');
  const { outcomes, runs } = await completeTogether(harness, 4, {
    1: () => {
      throw error;
    },
  });
  expect(outcomes).toEqual(['completed', error, 'completed', 'completed']);
  expect(runs).toEqual([1, 1, 1, 1]);
  expect(await harness.effects()).toEqual(['0', '2', '3']);
  expect(await statesOf(harness)).toEqual(['done', 'working', 'done', 'done']);
});

const failsAtCommit: Also = (database) => database.exec('INSERT INTO children VALUES (1)');

test('where the transaction fails at its commit, each event runs in its own', async () => {
  await using harness = await openSqlite();
  const database = new DatabaseSync(harness.path);
  database.exec(
    `CREATE TABLE parents (id INTEGER PRIMARY KEY);
     CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`,
  );
  database.close();
  const { outcomes, runs, claims } = await completeTogether(harness, 5, { 2: failsAtCommit });
  expect(outcomes).toEqual([
    'completed',
    'completed',
    expect.objectContaining({
      code: 'ERR_SQLITE_ERROR',
      message: expect.stringMatching(/FOREIGN/),
    }),
    'completed',
    'completed',
  ]);
  // How many events share a transaction depends on how long they take.
  expect([2, 2, 2, 2, 2].map((most, index) => Math.min(most, runs[index] ?? 3))).toEqual(runs);
  expect(await harness.effects()).toEqual(['0', '1', '3', '4']);
  expect(await statesOf(harness)).toEqual(['done', 'done', 'working', 'done', 'done']);
  const [, , held] = claims;
  if (held === undefined) throw new Error('expected five claims');
  expect(await harness.store.fail(held, { error: 'x', at: 0 })).toBe('recorded');
});

test('events that arrive after such a failure share a transaction again', async () => {
  await using harness = await openSqlite();
  const database = new DatabaseSync(harness.path);
  database.exec(
    `CREATE TABLE parents (id INTEGER PRIMARY KEY);
     CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`,
  );
  database.close();
  await completeTogether(harness, 3, { 0: failsAtCommit });
  const { runs } = await completeTogether(harness, 3);
  expect(runs).toEqual([1, 1, 1]);
});

test.each<readonly [string, Also]>([
  ['a trigger rolls back', (database) => database.exec('INSERT INTO refused VALUES (1)')],
  ['an effect rolls back', (database) => database.exec('ROLLBACK')],
  [
    'an effect rolls back and begins another one',
    (database) => database.exec('ROLLBACK; BEGIN IMMEDIATE'),
  ],
])('a transaction that %s costs no other event its effect', async (_, end) => {
  await using harness = await openSqlite();
  const database = new DatabaseSync(harness.path);
  database.exec(
    `CREATE TABLE refused (id INTEGER);
     CREATE TRIGGER refuse BEFORE INSERT ON refused BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`,
  );
  database.close();
  const { outcomes } = await completeTogether(harness, 4, { 1: end });
  expect(outcomes).toEqual(['completed', expect.any(Error), 'completed', 'completed']);
  expect((await harness.effects()).toSorted()).toEqual(['0', '2', '3']);
  expect(await statesOf(harness)).toEqual(['done', 'working', 'done', 'done']);
});

test('an effect that commits its transaction has failed, and no effect happens twice', async () => {
  await using harness = await openSqlite();
  const { outcomes } = await completeTogether(harness, 3, {
    1: (database) => database.exec('COMMIT'),
  });
  // What shared the transaction is committed, so that its claim is gone when it runs alone.
  expect(outcomes[1]).not.toBe('completed');
  expect((await harness.effects()).toSorted()).toEqual(['0', '1', '2']);
  expect(await statesOf(harness)).toEqual(['done', 'done', 'done']);
});

test('a claim that was lost has no effect, and does not disturb the others', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await store.receive(receipt({}, {}, {}));
  const lost = await claim(store, 1);
  clock.now += 30_000;
  const held = await claim(harness.another(), 3);
  expect(held).toHaveLength(3);
  const outcomes = await Promise.all(
    [...lost, ...held].map((claim, index) => store.complete(claim, harness.effect(`${index}`))),
  );
  expect(outcomes).toEqual(['lost', 'completed', 'completed', 'completed']);
  expect(await harness.effects()).toEqual(['1', '2', '3']);
});

test('a statement that an effect leaves unfinished is its failure, not that of the store', async () => {
  await using harness = await openSqlite();
  const { outcomes } = await completeTogether(harness, 2, {
    0: (database) =>
      database
        .prepare("INSERT INTO effects (value) VALUES ('a'), ('b') RETURNING value")
        .iterate()
        .next(),
  });
  expect(outcomes).toEqual([expect.objectContaining({ code: 'transaction-failed' }), 'completed']);
  expect(await harness.effects()).toEqual(['1']);
});
