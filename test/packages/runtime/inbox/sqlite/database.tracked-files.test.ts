import { execFile } from 'node:child_process';
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { claim, receipt } from '../store-harness.ts';
import { openApplication } from './booking-application.ts';
import { openSqlite } from './sqlite-harness.ts';

/** Windows does not delete or move a file that is open. */
const canMoveOpenFiles = process.platform !== 'win32';

interface Accident {
  readonly name: string;
  readonly happen: (path: string) => Promise<void>;
  /** Undoes it; missing where that is not possible. */
  readonly undo?: (path: string) => Promise<void>;
}

const accidents: readonly Accident[] = [
  { name: 'was deleted', happen: async (path) => await rm(path) },
  { name: 'has lost its log', happen: async (path) => await rm(`${path}-wal`) },
  {
    name: 'was replaced by a backup',
    happen: async (path) => {
      await copyFile(path, `${path}.backup`);
      await rename(path, `${path}.open`);
      await rename(`${path}.backup`, path);
    },
    undo: async (path) => await rename(`${path}.open`, path),
  },
  {
    name: 'was moved with its folder',
    happen: async (path) => await rename(dirname(path), `${dirname(path)}.moved`),
    undo: async (path) => await rename(`${dirname(path)}.moved`, dirname(path)),
  },
];

describe.skipIf(!canMoveOpenFiles)('a file that', () => {
  test.each(accidents)('$name gets nothing that is acknowledged', async ({ happen, undo }) => {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(folder);
    const path = join(folder, 'inbox.db');
    await using application = await openApplication(path);
    const { store } = application;
    expect(await application.send(1)).toBe(200);
    await happen(path);
    expect(await application.send(2)).toBe(503);
    expect(await application.send(3)).toBe(503);
    expect(application.errors).toMatchObject([
      { code: 'store-failed', message: expect.stringContaining('deleted, moved or replaced') },
      { code: 'store-failed' },
    ]);
    // A worker of this process does not handle what can be restored and handled again.
    await expect(claim(store)).rejects.toMatchObject({ code: 'store-failed' });
    if (undo === undefined) return;
    await undo(path);
    expect(await application.send(2)).toBe(200);
    expect((await store.stats()).depth).toBe(2);
  });

  test('is deleted between a claim and its effect takes no effect', async () => {
    await using harness = await openSqlite();
    const { store, path } = harness;
    await store.receive(receipt({}, {}));
    const [first, second] = await claim(store);
    if (first === undefined || second === undefined) throw new Error('expected two claims');
    expect(await store.complete(first, harness.effect('before'))).toBe('completed');
    await rename(path, `${path}.moved`);
    await expect(store.complete(second, harness.effect('lost'))).rejects.toMatchObject({
      code: 'store-failed',
    });
    await rename(`${path}.moved`, path);
    expect(await store.complete(second, harness.effect('after'))).toBe('completed');
    expect(await harness.effects()).toEqual(['before', 'after']);
  });
});

test('another process that closes the file leaves the log in which this one writes', async () => {
  const path = join(await temporaryFolder(), 'inbox.db');
  const stores = [sqliteStore(path), sqliteStore(path)];
  for (const store of stores) await store.receive(receipt({}));
  const before = await stat(`${path}-wal`);
  const program = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    database.prepare('SELECT count(*) FROM inbox_events').get();
    database.close();`;
  await promisify(execFile)(process.execPath, ['-e', program, path]);
  expect((await stat(`${path}-wal`)).ino).toBe(before.ino);
  for (const store of stores) await store.receive(receipt({}));
  expect((await stores[0]?.stats())?.depth).toBe(4);
  for (const store of stores) await store.close();
});
