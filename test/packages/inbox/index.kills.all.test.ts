import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe } from 'vitest';
import { testApplicationKills } from './application-kills.ts';
import { openSqlite } from './sqlite/sqlite-harness.ts';

const { INBOX_DELIVERIES = '10000', INBOX_KILLS = '100' } = process.env;
const size = { deliveries: Number(INBOX_DELIVERIES), kills: Number(INBOX_KILLS) };

describe('SQLite', () => {
  testApplicationKills(size, async () => {
    const harness = await openSqlite();
    // Its thread would take part.
    await harness.store.close();
    return {
      harness,
      command: [join(import.meta.dirname, 'sqlite/killed-application.fixture.ts'), harness.path],
      check: () => {
        const database = new DatabaseSync(harness.path);
        const rows = database.prepare('PRAGMA integrity_check').all();
        database.close();
        return rows.filter((row) => Object.values(row)[0] !== 'ok');
      },
    };
  });
});
