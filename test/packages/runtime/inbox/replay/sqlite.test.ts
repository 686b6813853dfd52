import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { InboxError } from '../../../../../packages/runtime/inbox/index.ts';
import {
  type SqliteReplayStore,
  type SqliteReplayStoreOptions,
  sqliteReplayStore,
} from '../../../../../packages/runtime/inbox/replay/sqlite.ts';
import { storeFolder } from '../../../../output/store-folder.ts';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { withoutNode } from '../../without-node.ts';
import { testReplayStore } from './replay-conformance.ts';

test('a platform without node:sqlite is named when the store is created, and no file', async () => {
  const folder = await temporaryFolder(storeFolder());
  expect(() => withoutNode(() => sqliteReplayStore(join(folder, 'replay.db')))).toThrow(
    expect.objectContaining({ code: 'unsupported-platform' }),
  );
  expect(await readdir(folder)).toEqual([]);
});

testReplayStore('sqlite', async ({ timeToLiveMs }) => {
  const path = join(await temporaryFolder(storeFolder()), 'replay.db');
  let now = Date.now();
  const open: SqliteReplayStore[] = [];
  const closeAll = async (): Promise<void> => {
    for (const store of open.splice(0)) store.close();
    await Promise.resolve();
  };
  return {
    open: () => {
      const store = sqliteReplayStore(path, { timeToLiveMs, clock: () => now });
      open.push(store);
      return store;
    },
    advance: async (milliseconds) => {
      now += milliseconds;
      await Promise.resolve();
    },
    closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
});

async function openStore(
  options: SqliteReplayStoreOptions = {},
): Promise<{ readonly path: string; readonly store: SqliteReplayStore }> {
  const path = join(await temporaryFolder(storeFolder()), 'replay.db');
  const store = sqliteReplayStore(path, options);
  onTestFinished(() => {
    store.close();
  });
  return { path, store };
}

/** Locks the file as another process does in a long transaction. */
function lock(path: string): DatabaseSync {
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  return other;
}

describe('several processes on one file', () => {
  test('each key is claimed once', async () => {
    const path = join(await temporaryFolder(storeFolder()), 'replay.db');
    const claimer = join(import.meta.dirname, 'claim-keys.fixture.ts');
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    const claimed = await Promise.all(
      ['one', 'two', 'three'].map(async (owner) => {
        const child: ChildProcess = fork(claimer, [path, owner, String(keys.length)], {
          execArgv: ['--conditions=countersign-source'],
        });
        const exited = once(child, 'exit');
        const [won] = (await once(child, 'message')) as [readonly string[]];
        expect(await exited).toEqual([0, null]);
        return won;
      }),
    );
    expect(claimed.flat().toSorted()).toEqual(keys.toSorted());
    const store = sqliteReplayStore(path);
    expect(await store.claim('key 0', 1_000, 'later')).toBe('seen');
    store.close();
  });
});

describe('a locked file', () => {
  test('is an error after the timeout, and does not block the event loop', async () => {
    const { path, store } = await openStore({ timeoutMs: 60 });
    const other = lock(path);
    const events: string[] = [];
    const turn = wait(0).then(() => events.push('turn'));
    await Promise.all(
      [store.claim('a', 1_000, 'one'), store.confirm('a', 'one'), store.release('a', 'one')].map(
        async (call) => {
          await expect(call).rejects.toMatchObject({ name: 'InboxError', code: 'store-failed' });
          events.push('rejected');
        },
      ),
    );
    await turn;
    expect(events).toEqual(['turn', 'rejected', 'rejected', 'rejected']);
    other.exec('ROLLBACK');
    other.close();
    expect(await store.claim('a', 1_000, 'one')).toBe('claimed');
  });

  test('is waited for', async () => {
    let attempts = 0;
    let other: DatabaseSync | undefined;
    const { path, store } = await openStore({
      timeoutMs: 30_000,
      clock: () => {
        attempts += 1;
        if (attempts === 4) other?.close();
        return 0;
      },
    });
    other = lock(path);
    expect(await store.claim('a', 1_000, 'one')).toBe('claimed');
    expect(attempts).toBe(4);
  });

  test('still answers what is seen or busy', async () => {
    const { path, store } = await openStore({ timeoutMs: 1 });
    await store.confirm('a', 'one');
    await store.claim('b', 60_000, 'one');
    const other = lock(path);
    expect(await store.claim('a', 1_000, 'two')).toBe('seen');
    expect(await store.claim('b', 1_000, 'two')).toBe('busy');
    other.close();
  });

  test('can be opened later', async () => {
    const path = join(await temporaryFolder(storeFolder()), 'replay.db');
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE other (a); BEGIN EXCLUSIVE');
    const store = sqliteReplayStore(path, { timeoutMs: 1 });
    await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject({ code: 'store-failed' });
    other.close();
    expect(await store.claim('a', 1_000, 'one')).toBe('claimed');
    store.close();
  });
});

describe('the file', () => {
  test('belongs to its owner only', async () => {
    const { path, store } = await openStore();
    await store.claim('a', 1_000, 'one');
    const files = await readdir(join(path, '..'));
    expect(files.toSorted()).toEqual(['replay.db', 'replay.db-shm', 'replay.db-wal']);
    for (const file of files)
      expect((await stat(join(path, '..', file))).mode & 0o777, file).toBe(0o600);
  });

  test('keeps the mode that it has', async () => {
    const path = join(await temporaryFolder(storeFolder()), 'replay.db');
    await writeFile(path, '');
    await chmod(path, 0o660);
    sqliteReplayStore(path).close();
    expect((await stat(path)).mode & 0o777).toBe(0o660);
  });

  test('loses expired keys in small steps, so that it does not grow', async () => {
    let now = 0;
    const { path, store } = await openStore({ timeToLiveMs: 100, clock: () => now });
    for (let index = 0; index < 50; index++) {
      await store.claim(`key ${index}`, 10, 'one');
      await store.confirm(`key ${index}`, 'one');
    }
    const reader = new DatabaseSync(path);
    const count = (): number =>
      Number(reader.prepare('SELECT count(*) AS n FROM countersign_replay').get()?.['n']);
    expect(count()).toBe(50);
    now = 100;
    const counts: number[] = [];
    for (let index = 0; index < 6; index++) {
      await store.claim(`new ${index}`, 10, 'one');
      counts.push(count());
    }
    expect(counts).toEqual([41, 32, 23, 14, 5, 6]);
    reader.close();
  });

  test('may be damaged: that is an error', async () => {
    const path = join(await temporaryFolder(storeFolder()), 'replay.db');
    await writeFile(path, 'no database '.repeat(1_000));
    expect(() => sqliteReplayStore(path)).toThrow(
      expect.objectContaining({ name: 'InboxError', code: 'store-failed' }) as Error,
    );
  });

  test('may be in a folder that is missing: that is an error', async () => {
    const path = join(await temporaryFolder(storeFolder()), 'missing', 'replay.db');
    expect(() => sqliteReplayStore(path)).toThrow(InboxError);
  });
});

test('a closed store rejects every call', async () => {
  const { store } = await openStore();
  store.close();
  store.close();
  const closed = { name: 'InboxError', code: 'closed' };
  await expect(store.claim('a', 1_000, 'one')).rejects.toMatchObject(closed);
  await expect(store.confirm('a', 'one')).rejects.toMatchObject(closed);
  await expect(store.release('a', 'one')).rejects.toMatchObject(closed);
});

test.each<[string, SqliteReplayStoreOptions]>([
  ['', {}],
  [':memory:', {}],
  ['file:replay.db?mode=memory', {}],
  ['replay.db', { timeToLiveMs: 0 }],
  ['replay.db', { timeToLiveMs: Number.NaN }],
  ['replay.db', { timeToLiveMs: '5' as never }],
  ['replay.db', { timeoutMs: 0 }],
  ['replay.db', { timeoutMs: 2 ** 31 }],
  ['replay.db', { timeoutMs: Number.POSITIVE_INFINITY }],
])('%j with %j is an invalid option', (path, options) => {
  expect(() => sqliteReplayStore(path, options)).toThrow(
    expect.objectContaining({ code: 'invalid-option' }) as Error,
  );
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
  '%j is an invalid lease',
  async (lease) => {
    const { store } = await openStore();
    await expect(store.claim('a', lease, 'one')).rejects.toMatchObject({ code: 'invalid-option' });
  },
);
