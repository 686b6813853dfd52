import { execFile, spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { InboxError } from '@countersign/runtime/inbox';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { openApplication } from './booking-application.ts';

/** A name space of its own can mount a disk, where the system lets users have one. */
const ownDisks = ['-Urm', 'sh', '-euc'];
const canMount =
  spawnSync('unshare', [...ownDisks, 'mount -t tmpfs -o size=64k tmpfs /mnt'], { stdio: 'ignore' })
    .status === 0;

const canDump = spawnSync('sqlite3', ['-version'], { stdio: 'ignore' }).status === 0;

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test.skipIf(!canMount)('on a full disk, nothing is acknowledged; space is a recovery', async () => {
  const folder = await temporaryFolder();
  const program = join(import.meta.dirname, 'full-disk.fixture.ts');
  const story =
    'mount -t tmpfs -o size=16m tmpfs "$DISK"; exec "$NODE" "$PROGRAM" "$DISK/inbox.db"';
  const { stdout } = await promisify(execFile)('unshare', [...ownDisks, story], {
    timeout: 50_000,
    env: {
      ...process.env,
      NODE_OPTIONS: '--conditions=countersign-source',
      NODE: process.execPath,
      PROGRAM: program,
      DISK: folder,
    },
  });
  const { statuses, ready, codes, byState, booked } = JSON.parse(stdout);
  expect(statuses.before).toEqual([200, 200, 200]);
  expect(new Set(statuses.during)).toContain(503);
  expect(new Set([...statuses.during, 200, 503])).toEqual(new Set([200, 503]));
  expect(ready).toEqual([503, 200]);
  expect(new Set(statuses.after)).toEqual(new Set([200]));
  expect(codes).toEqual(['store-failed']);
  expect(byState).toMatchObject({ done: 24, dead: 0 });
  expect(booked.toSorted((left: number, right: number) => left - right)).toEqual(numbers(1, 24));
});

/** Overwrites a page of a table or an index. Returns its number. */
async function damage(path: string, name: string): Promise<void> {
  const database = new DatabaseSync(path);
  const pages = database
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all(name)
    .map(({ pageno }) => Number(pageno));
  const size = Number(database.prepare('PRAGMA page_size').get()?.['page_size']);
  database.close();
  // Deliveries add events to the last page.
  const page = name === 'inbox_events' ? pages.at(-1) : pages[Math.floor(pages.length / 2)];
  if (page === undefined) throw new Error(`${name} has no page`);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await file.close();
}

/** Returns `done`, or the error of an operation. */
async function outcomeOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    await operation;
    return 'done';
  } catch (error) {
    return error;
  }
}

/** Opens an inbox with 60 events, one page of which is damaged while it is closed. */
async function openDamaged(name: string): Promise<string> {
  const path = join(await temporaryFolder(), 'inbox.db');
  {
    await using application = await openApplication(path);
    for (const number of numbers(1, 60)) expect(await application.send(number)).toBe(200);
  }
  await damage(path, name);
  return path;
}

describe('a damaged page', () => {
  test.each([
    ['inbox_receipts', [200]],
    ['inbox_events', [200, 503]],
    ['inbox_identities', [200, 503]],
    ['inbox_events_finished', [200]],
  ])('of %s is an error of what reads it, and deliveries get %j', async (name, expected) => {
    await using application = await openApplication(await openDamaged(name));
    const { store, errors, booked } = application;
    const worker = application.work();
    const statuses = await Promise.all(numbers(30, 90).map(application.send));
    const refusals = statuses.filter((status) => status !== 200).length;
    // The worker has read the store: it handled an event, or reported an error beside those of the receiver.
    await expect
      .poll(() => booked().length + errors.length - refusals, { timeout: 20_000 })
      .toBeGreaterThan(0);
    await worker.close();
    expect([...new Set(statuses)].toSorted((left, right) => left - right)).toEqual(expected);
    const outcomes = [
      ...errors,
      await outcomeOf(store.stats()),
      await outcomeOf(store.list({}, { pageSize: 1000 })),
      await outcomeOf(store.retry({}, 'operator')),
      await outcomeOf(store.delete({ finishedBefore: Date.now() }, 'operator')),
    ];
    const failures = outcomes.filter((outcome) => outcome !== 'done');
    expect(failures).not.toEqual([]);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(InboxError);
      expect(failure).toMatchObject({
        code: 'store-failed',
        message: expect.stringContaining('malformed'),
      });
    }
  });

  test.skipIf(!canDump).each([
    ['inbox_receipts', 50],
    ['inbox_identities', 60],
  ])('of %s leaves at least %d receipts that can be received again', async (name, least) => {
    const damaged = await openDamaged(name);
    const readable = `${damaged}.readable`;
    const command = `sqlite3 "$1" .dump | sed 's/^ROLLBACK;.*/COMMIT;/' | sqlite3 "$2"`;
    await promisify(execFile)('sh', ['-euc', command, '', damaged, readable]);
    await using application = await openApplication(`${damaged}.new`);
    const database = new DatabaseSync(readable);
    const receipts = database
      .prepare(
        `SELECT method, target, headers, body, kind, order_key, identity
         FROM inbox_receipts JOIN inbox_events USING (receipt)
         WHERE state NOT IN ('done', 'discarded') ORDER BY seq`,
      )
      .all();
    database.close();
    for (const { method, target, headers, body, kind, order_key: orderKey, identity } of receipts)
      await application.inbox.receive({
        method: String(method),
        target: String(target),
        headers: JSON.parse(String(headers)),
        body: body as Uint8Array,
        events: [{ kind: String(kind), orderKey: String(orderKey), identity: String(identity) }],
      });
    // What the sender repeats is a duplicate, or one of those that were lost.
    for (const number of numbers(1, 60)) expect(await application.send(number)).toBe(200);
    const { duplicates } = await application.store.stats();
    const worker = application.work();
    await expect
      .poll(async () => (await application.store.stats()).depth, { timeout: 10_000 })
      .toBe(0);
    await worker.close();
    expect(application.booked().toSorted((left, right) => left - right)).toEqual(numbers(1, 60));
    expect(duplicates).toBe(receipts.length);
    expect(duplicates).toBeGreaterThanOrEqual(least);
    expect(application.errors).toEqual([]);
  });
});

test('after the clock is set back, events are handled and retried, each once', async () => {
  let setBack = 0;
  const path = join(await temporaryFolder(), 'inbox.db');
  await using application = await openApplication(path, () => Date.now() - setBack);
  const attempts = new Map<number, number>();
  const running = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const worker = application.work(async (subject, attempt) => {
    attempts.set(subject, attempt);
    if (subject === 1) running.resolve();
    // The first two are claimed, and the third one waits for its second attempt, while the clock is set back.
    if (subject <= 2 && setBack === 0) await proceed.promise;
    else if (attempt === 1) throw new Error('the first attempt fails');
  });
  for (const subject of numbers(1, 6)) expect(await application.send(subject)).toBe(200);
  await running.promise;
  await expect
    .poll(async () => (await application.store.stats()).byState.retry, { interval: 5 })
    .toBeGreaterThan(0);
  setBack = 3_600_000;
  for (const subject of numbers(4, 9)) expect(await application.send(subject)).toBe(200);
  proceed.resolve();
  await expect
    .poll(async () => (await application.store.stats()).depth, { timeout: 10_000 })
    .toBe(0);
  await worker.close();
  expect(application.booked().toSorted((left, right) => left - right)).toEqual(numbers(1, 9));
  expect(Math.max(...attempts.values())).toBe(2);
  expect(application.errors).toEqual([]);
  expect((await application.store.stats()).byState).toMatchObject({ done: 9, dead: 0 });
});
