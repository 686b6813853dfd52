import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import {
  migrate,
  migrations,
  stepsOf,
} from '../../../../../packages/runtime/inbox/sqlite/database.ts';
import { openSqlite, type SqliteHarness } from './sqlite-harness.ts';

const nothing = (): void => undefined;

/** Opens a file with a number of events, and tables of version 1. The harness removes it. */
async function openOld(harness: SqliteHarness, events = 10): Promise<string> {
  const path = `${harness.path}-old`;
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, migrations.slice(0, 1));
  store(database, events);
  database.close();
  return path;
}

/** Stores receipts with one event each, as a program of version 1 does. */
function store(database: DatabaseSync, events: number): void {
  for (let stored = 0; stored < events; stored += 1) {
    const { lastInsertRowid } = database
      .prepare(
        "INSERT INTO inbox_receipts (id, received_at, method, target, headers, body, events) VALUES (hex(randomblob(8)), 1000, 'POST', '/', '[]', x'', 1)",
      )
      .run();
    database
      .prepare(
        "INSERT INTO inbox_events (receipt, position, received_at, kind, state) VALUES (?, 0, 1000, 'a', 'ready')",
      )
      .run(lastInsertRowid);
  }
}

/** Opens the file as another process does, which does not wait. */
function connect(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  onTestFinished(() => database.close());
  return database;
}

/** Returns the SQL of all tables and indexes. Columns that were added to a table are at its end. */
function shapeOf(database: DatabaseSync): unknown {
  return database
    .prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .all()
    .map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/gu, ' ')]);
}

const changes = migrations.slice(1).flatMap(stepsOf);

test('others write after each statement of a migration of a file with events', async () => {
  await using harness = await openSqlite();
  const path = await openOld(harness);
  const other = connect(path);
  let pauses = 0;
  migrate(connect(path), migrations, () => {
    store(other, 1);
    pauses += 1;
  });
  expect(pauses).toBe(changes.length);
  expect(changes).toHaveLength(10);
  const [stored] = other.prepare('SELECT count(*) AS events FROM inbox_events').all();
  expect(stored).toEqual({ events: 10 + pauses });
});

test('a migration that was stopped after any statement continues, and is then equal to a new file', async () => {
  await using harness = await openSqlite();
  const expected = connect(':memory:');
  migrate(expected, migrations.slice(0, 1));
  migrate(expected, migrations, nothing);
  for (let stopAfter = 1; stopAfter <= changes.length; stopAfter += 1) {
    const database = connect(':memory:');
    migrate(database, migrations.slice(0, 1));
    store(database, 3);
    let left = stopAfter;
    const stopped = (): void =>
      migrate(database, migrations, () => {
        left -= 1;
        if (left === 0) throw new Error('stopped');
      });
    expect(stopped).toThrow('stopped');
    migrate(database, migrations, nothing);
    expect(shapeOf(database)).toEqual(shapeOf(expected));
    const versions = database.prepare('SELECT version FROM inbox_schema ORDER BY version').all();
    expect(versions).toEqual(migrations.map((_, index) => ({ version: index + 1 })));
  }
  // What an old program has stored is handled.
  const path = await openOld(harness, 1);
  const old = connect(path);
  migrate(old, migrations, nothing);
  expect(old.prepare('SELECT ends, alerted, identified FROM inbox_events').all()).toEqual([
    { ends: 0, alerted: 0, identified: 0 },
  ]);
});

test('two processes migrate a file at the same time', async () => {
  await using harness = await openSqlite();
  const path = await openOld(harness);
  const second = connect(path);
  let turns = 0;
  migrate(connect(path), migrations, () => {
    turns += 1;
    if (turns === 3) migrate(second, migrations, nothing);
  });
  expect(turns).toBe(changes.length);
  expect(second.prepare('SELECT max(version) AS version FROM inbox_schema').get()).toEqual({
    version: migrations.length,
  });
});
