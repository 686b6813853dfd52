import { existsSync } from 'node:fs';
import { chmod, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteStore, type SqliteStoreOptions } from '@countersign/runtime/inbox/sqlite';
import { migrate, migrations } from '../../../../../packages/runtime/inbox/sqlite/database.ts';
import { storeFolder } from '../../../../output/store-folder.ts';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { repository } from '../../../../targets/emit-project.ts';
import { withoutNode } from '../../without-node.ts';
import { checkMigrated, eventsOfVersion2 } from '../older-version.ts';
import { claimOne, receipt } from '../store-harness.ts';
import { openSqlite } from './sqlite-harness.ts';

const unsafe: readonly (readonly [string, SqliteStoreOptions])[] = [
  ['inbox.db', { synchronous: 'off' }],
  ['inbox.db', { synchronous: 'normal' }],
  [':memory:', {}],
  ['', {}],
  ['file:inbox.db?mode=memory', {}],
];

test.each(unsafe)('%j with %j is refused as unsafe', (path, options) => {
  expect(() => sqliteStore(path, options)).toThrow(
    expect.objectContaining({ code: 'unsafe-durability' }),
  );
});

test('a platform without node:sqlite is named when the store is created, and no file', async () => {
  const path = join(await temporaryFolder(storeFolder()), 'inbox.db');
  expect(() => withoutNode(() => sqliteStore(path))).toThrow(
    expect.objectContaining({
      code: 'unsupported-platform',
      message: expect.stringContaining(
        `from version 22.13 on. This is Node ${process.versions.node}.`,
      ),
    }),
  );
  expect(existsSync(path)).toBe(false);
});

test('no module of the stores imports node:sqlite, which an older Node cannot load', async () => {
  const folder = join(repository, 'packages/runtime/inbox');
  const modules = (await readdir(folder, { recursive: true })).filter((name) =>
    /^(?!dist\/).*\.ts$/u.test(name),
  );
  expect(modules.length).toBeGreaterThan(20);
  for (const name of modules) {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text.match(/^import (?!type ).* from 'node:sqlite';$/mu), name).toBeNull();
  }
});

test('a store without durability is opened if its name is given', async () => {
  await using harness = await openSqlite({ synchronous: 'off', allowLossOnPowerFailure: true });
  expect(await harness.store.receive(receipt({}))).toMatchObject([{ status: 'stored' }]);
});

test.each([{ maxWalBytes: 1000 }, { busyTimeoutMs: 0 }])('%j is refused', (options) => {
  expect(() => sqliteStore('inbox.db', options)).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});

test.skipIf(process.platform === 'win32')('only the owner can read the files', async () => {
  await using harness = await openSqlite();
  await harness.store.receive(receipt({}));
  for (const suffix of ['', '-wal', '-shm'])
    expect((await stat(harness.path + suffix)).mode & 0o777).toBe(0o600);
});

test('deliveries that arrive together are committed together', async () => {
  await using harness = await openSqlite();
  const versions = new DatabaseSync(harness.path);
  const version = (): unknown => versions.prepare('PRAGMA data_version').get()?.['data_version'];
  // The first batch occupies the thread while the others arrive.
  const before = Number(version());
  let commits = 0;
  let last = before;
  const results = Array.from({ length: 300 }, async () => {
    await harness.store.receive(receipt({}));
    if (Number(version()) === last) return;
    last = Number(version());
    commits += 1;
  });
  await Promise.all(results);
  versions.close();
  expect((await harness.store.stats()).depth).toBe(300);
  expect(commits).toBeLessThan(50);
});

test('an acknowledged receipt is visible to other connections', async () => {
  await using harness = await openSqlite();
  const reader = new DatabaseSync(harness.path);
  for (let count = 1; count <= 20; count += 1) {
    await harness.store.receive(receipt({}));
    const row = reader.prepare('SELECT count(*) AS receipts FROM inbox_receipts').get();
    expect(row?.['receipts']).toBe(count);
  }
  reader.close();
});

test('a call that fails does not fail the others of its batch', async () => {
  await using harness = await openSqlite();
  const sent = receipt({});
  await harness.store.receive(sent);
  const results = await Promise.allSettled([
    harness.store.receive(receipt({})),
    // The identifier of a receipt is unique.
    harness.store.receive(sent),
    harness.store.receive(receipt({})),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'store-failed' } });
  expect((await harness.store.stats()).depth).toBe(3);
});

test('a file that is not a database is an error, and its repair is a recovery', async () => {
  const folder = await mkdtemp(join(storeFolder(), 'countersign-inbox-'));
  const path = join(folder, 'inbox.db');
  await writeFile(path, 'not a database '.repeat(100));
  const store = sqliteStore(path);
  await expect(store.receive(receipt({}))).rejects.toMatchObject({ code: 'store-failed' });
  await rm(path);
  expect(await store.receive(receipt({}))).toMatchObject([{ status: 'stored' }]);
  await store.close();
  await rm(folder, { recursive: true });
});

test('a folder that does not exist is an error', async () => {
  const store = sqliteStore(join(tmpdir(), 'countersign-missing/folder/inbox.db'));
  await expect(store.stats()).rejects.toMatchObject({ code: 'store-failed' });
  await store.close();
});

test('another process that writes for long is an error, and its end is a recovery', async () => {
  await using harness = await openSqlite({ busyTimeoutMs: 50 });
  await harness.store.receive(receipt({}));
  const held = await claimOne(harness.store);
  const other = new DatabaseSync(harness.path);
  other.exec('BEGIN IMMEDIATE');
  await expect(harness.store.receive(receipt({}))).rejects.toMatchObject({ code: 'store-failed' });
  await expect(harness.store.complete(held, harness.effect('row'))).rejects.toMatchObject({
    code: 'store-failed',
  });
  other.exec('ROLLBACK');
  other.close();
  await harness.store.receive(receipt({}));
  expect(await harness.store.complete(held, harness.effect('row'))).toBe('completed');
  expect(await harness.effects()).toEqual(['row']);
});

test('a full disk is an error, and space is a recovery', async () => {
  await using harness = await openSqlite();
  const { store } = harness;
  await store.receive(receipt({}));
  const held = await claimOne(store);
  const full = (pages: number) => async (): Promise<{ commit: (db: DatabaseSync) => void }> => ({
    commit: (database) => {
      // The number of pages is limited in place of the disk.
      database.exec(`PRAGMA max_page_count = ${pages}`);
      database.prepare('INSERT INTO effects (value) VALUES (?)').run('x'.repeat(1_000_000));
    },
  });
  await expect(store.complete(held, full(1))).rejects.toThrow('full');
  expect(await harness.effects()).toEqual([]);
  expect(await store.complete(held, full(1_000_000))).toBe('completed');
  expect(await harness.effects()).toHaveLength(1);
});

test('the log stays small while readers overlap', async () => {
  await using harness = await openSqlite();
  let [open, next] = [new DatabaseSync(harness.path), new DatabaseSync(harness.path)];
  const read = 'BEGIN; SELECT count(*) FROM inbox_events';
  open.exec(read);
  const writesDone = new AbortController();
  // At every moment, at least one read transaction is open.
  const reading = (async () => {
    while (!writesDone.signal.aborted) {
      next.exec(read);
      open.exec('COMMIT');
      [open, next] = [next, open];
      await nextTurn();
    }
  })();
  const body = Buffer.alloc(500_000, 'x');
  let largest = 0;
  for (let count = 0; count < 80; count += 1) {
    await harness.store.receive({ ...receipt({}), body });
    largest = Math.max(largest, (await stat(`${harness.path}-wal`)).size);
  }
  writesDone.abort();
  await reading;
  open.close();
  next.close();
  expect(largest).toBeLessThan(30_000_000);
});

test('deliveries are refused while a read transaction makes the log too large', async () => {
  await using harness = await openSqlite({ maxWalBytes: 2 ** 20 });
  const reader = new DatabaseSync(harness.path);
  reader.exec('BEGIN; SELECT count(*) FROM inbox_events');
  const body = Buffer.alloc(700_000, 'x');
  const receiveAll = async (): Promise<void> => {
    for (let count = 0; count < 5; count += 1)
      await harness.store.receive({ ...receipt({}), body });
  };
  await expect(receiveAll()).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('read transaction'),
  });
  reader.exec('COMMIT');
  reader.close();
  // The log is restarted at most once a second.
  await expect
    .poll(async () => (await harness.store.receive(receipt({})).catch(() => []))[0]?.status, {
      timeout: 20_000,
    })
    .toBe('stored');
});

test('what version 2 of the schema stored is handled after its migration', async () => {
  const folder = await mkdtemp(join(storeFolder(), 'countersign-inbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'inbox.db');
  const database = new DatabaseSync(path);
  migrate(database, migrations.slice(0, 2));
  const { columns, rows } = eventsOfVersion2;
  database.exec(
    `INSERT INTO inbox_receipts (receipt, id, received_at, method, target, headers, body, events)
       VALUES (1, 'old', 0, 'POST', '/', '[]', x'', ${rows.length});
     WITH old (${columns}) AS (VALUES ${rows.join()})
     INSERT INTO inbox_events (receipt, ${columns}) SELECT 1, ${columns} FROM old`,
  );
  database.close();
  const store = sqliteStore(path);
  await checkMigrated(store, async () => undefined);
  await store.close();
});

test('a migration that fails changes nothing', async () => {
  await using harness = await openSqlite();
  const database = new DatabaseSync(harness.path);
  expect(() =>
    migrate(database, [...migrations, 'CREATE TABLE inbox_half (id INTEGER); SELECT nonsense']),
  ).toThrow('nonsense');
  expect(
    database.prepare("SELECT name FROM sqlite_schema WHERE name = 'inbox_half'").all(),
  ).toEqual([]);
  database.close();
});

test.skipIf(process.platform === 'win32')('deleted payloads are overwritten', async () => {
  await using harness = await openSqlite();
  const { store, clock } = harness;
  await store.receive({ ...receipt({}), body: Buffer.from('a secret name '.repeat(500)) });
  await store.complete(await claimOne(store), harness.none);
  clock.now += 1;
  expect(await store.delete({ finishedBefore: clock.now }, 'ana')).toMatchObject({ receipts: 1 });
  await store.close();
  const database = new DatabaseSync(harness.path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  await chmod(harness.path, 0o600);
  await using file = await open(harness.path);
  expect((await file.readFile()).includes('a secret name')).toBe(false);
});
