import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SqliteResult, SqliteScope } from '@countersign/runtime/inbox/sqlite';
import type { KilledStore } from '../kills.ts';
import { openSqlite } from './sqlite-harness.ts';

/** Opens a SQLite store for processes that are killed. */
export async function openKilled(
  program = 'killed-process.fixture.ts',
): Promise<KilledStore<SqliteScope, SqliteResult>> {
  const harness = await openSqlite();
  // Its thread would take part.
  await harness.store.close();
  return {
    harness,
    command: [join(import.meta.dirname, program), harness.path],
    check: () => {
      const database = new DatabaseSync(harness.path);
      const rows = database.prepare('PRAGMA integrity_check').all();
      database.close();
      return rows.filter((row) => Object.values(row)[0] !== 'ok');
    },
  };
}
