import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  commit,
  sqliteStore,
  type SqliteResult,
  type SqliteScope,
  type SqliteStore,
  type SqliteStoreOptions,
} from '@countersign/runtime/inbox/sqlite';
import { storeFolder } from '../../../../output/store-folder.ts';
import { migrate, migrations } from '../../../../../packages/runtime/inbox/sqlite/database.ts';
import { testVersions, type StoreHarness } from '../store-harness.ts';

/** A folder with an inbox that is removed after the test. */
export interface SqliteHarness extends StoreHarness<SqliteScope, SqliteResult> {
  readonly path: string;
}

/** Opens a SQLite store in a new folder. */
export async function openSqlite(options: SqliteStoreOptions = {}): Promise<SqliteHarness> {
  const folder = await mkdtemp(join(storeFolder(), 'countersign-inbox-'));
  const path = join(folder, 'inbox.db');
  const clock = { now: 1_000_000 };
  const opened: SqliteStore[] = [];
  const another = (): SqliteStore => {
    const store = sqliteStore(path, { clock: () => clock.now, ...options });
    opened.push(store);
    return store;
  };
  const store = another();
  // The first call returns after the schema exists.
  await store.stats();
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE effects (position INTEGER PRIMARY KEY, value TEXT NOT NULL)');
  const insert = (connection: DatabaseSync, value: string): void => {
    connection.prepare('INSERT INTO effects (value) VALUES (?)').run(value);
  };
  let versions = 0;
  return {
    path,
    store,
    clock,
    another,
    effect: (value) => async () => commit((connection) => insert(connection, value)),
    failingEffect: (value, error) => async () =>
      commit((connection) => {
        insert(connection, value);
        throw error;
      }),
    async damage(receiptId) {
      database.prepare("UPDATE inbox_receipts SET headers = '{bad' WHERE id = ?").run(receiptId);
    },
    none: async () => undefined,
    async addVersion() {
      versions += 1;
      // The thread of the store writes meanwhile.
      const second = new DatabaseSync(path, { timeout: 10_000 });
      migrate(second, [...migrations, ...testVersions(versions)]);
      second.close();
    },
    effects: async () =>
      database
        .prepare('SELECT value FROM effects ORDER BY position')
        .all()
        .map(({ value }) => String(value)),
    async [Symbol.asyncDispose]() {
      database.close();
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true });
    },
  };
}
