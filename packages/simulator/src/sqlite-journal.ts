import { chmod, open, stat } from 'node:fs/promises';
import type * as Sqlite from 'node:sqlite';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Entry, NewEntry } from './entry.ts';
import type { EntryFilter, Journal } from './journal.ts';
import { isFailed, nameOf } from './memory-journal.ts';
import { SimulatorError } from './sending/simulator-error.ts';

/** Identifies a file as a journal: `CSJL` in ASCII, in the header of the database. */
const applicationId = 0x43_53_4a_4c;
const schemaVersion = 1;

const schema = `
  BEGIN IMMEDIATE;
  CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    name TEXT,
    failed INTEGER NOT NULL,
    run TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entry_type ON entry (type, failed, id);
  CREATE INDEX IF NOT EXISTS entry_name ON entry (name, id);
  CREATE INDEX IF NOT EXISTS entry_run ON entry (run, id) WHERE run IS NOT NULL;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  COMMIT;`;

/**
 * Opens a journal that keeps all entries in a file, which only the user can read. Requires Node 22.13 or later.
 * @throws SimulatorError `journal` where the file is damaged or is something else, which it does not change
 */
export async function openSqliteJournal(path: string): Promise<Journal> {
  const { DatabaseSync: Database } = await importSqlite();
  const isNew = await prepareFile(path);
  const attempt = <T>(action: () => T): T => {
    try {
      return action();
    } catch (error) {
      throw toJournalError(path, error);
    }
  };
  const database = attempt(() => new Database(path));
  try {
    attempt(() => checkFile(database, path, isNew));
    // A foreign file keeps its mode.
    await chmod(path, 0o600);
    attempt(() => {
      if (isNew) database.exec(schema);
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    });
    return attempt(() => createJournal(database, attempt));
  } catch (error) {
    database.close();
    throw error;
  }
}

async function importSqlite(): Promise<typeof Sqlite> {
  try {
    return await import('node:sqlite');
  } catch (error) {
    throw new SimulatorError(
      'journal',
      `A journal in a file requires Node 22.13 or later; this is Node ${process.versions.node}.`,
      { cause: error },
    );
  }
}

/** Creates the file, so that it never has another mode. Returns whether it is empty. */
async function prepareFile(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'a', 0o600);
    await file.close();
    return (await stat(path)).size === 0;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new SimulatorError('journal', `The journal ${path} cannot be opened${code}.`, {
      cause: error,
    });
  }
}

/** Checks that a file is a journal and is intact, without changing it. */
function checkFile(database: DatabaseSync, path: string, isNew: boolean): void {
  database.exec('PRAGMA busy_timeout = 2000;');
  if (isNew) return;
  const read = (pragma: string): unknown =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (read('application_id') !== applicationId)
    throw new SimulatorError(
      'journal',
      `${path} is not a journal of a simulator. Use another file.`,
    );
  if (read('user_version') !== schemaVersion)
    throw new SimulatorError(
      'journal',
      `The journal ${path} was written by another version of the simulator. Use another file.`,
    );
  if (read('quick_check(1)') !== 'ok')
    throw new SimulatorError('journal', `The journal ${path} is damaged. Use another file.`);
}

function toJournalError(path: string, error: unknown): unknown {
  if (error instanceof SimulatorError || !(error instanceof Error)) return error;
  const detail = /not a database/u.test(error.message)
    ? 'is not a journal of a simulator. Use another file'
    : /malformed/u.test(error.message)
      ? 'is damaged. Use another file'
      : `cannot be used: ${error.message}`;
  return new SimulatorError('journal', `The journal ${path} ${detail}.`, { cause: error });
}

function createJournal(database: DatabaseSync, attempt: <T>(action: () => T) => T): Journal {
  const listeners = new Set<(entry: Entry) => void>();
  const insert = database.prepare(
    'INSERT INTO entry (type, name, failed, run, body) VALUES (?, ?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT id, body FROM entry WHERE id = ?');
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    add<E extends NewEntry>(entry: E): E & { readonly id: number } {
      // An entry without its number has all members that decide these columns.
      const unnumbered = entry as unknown as Entry;
      const { lastInsertRowid } = attempt(() =>
        insert.run(
          entry.type,
          nameOf(unnumbered) ?? null,
          isFailed(unnumbered) ? 1 : 0,
          entry.run ?? null,
          JSON.stringify(entry),
        ),
      );
      const numbered = { ...entry, id: Number(lastInsertRowid) };
      const kept = numbered as unknown as Entry;
      for (const listener of listeners) listener(kept);
      return numbered;
    },
    get: (id) => attempt(() => readRows([select.get(id)])[0]),
    list(filter = {}) {
      const { where, values } = toCondition(filter);
      const { pageSize } = filter;
      // The newest entries, in the order of their numbers.
      const order = pageSize === undefined ? 'ORDER BY id' : 'ORDER BY id DESC LIMIT ?';
      const all = pageSize === undefined ? values : [...values, Math.max(0, pageSize)];
      const matchingEntries = attempt(() =>
        readRows(prepare(`SELECT id, body FROM entry ${where} ${order}`).iterate(...all)),
      );
      return pageSize === undefined ? matchingEntries : matchingEntries.toReversed();
    },
    count(filter = {}) {
      const { pageSize, ...rest } = filter;
      const { where, values } = toCondition(rest);
      const row = attempt(() =>
        prepare(`SELECT count(*) AS total FROM entry ${where}`).get(...values),
      );
      return Math.min(Number(row?.['total'] ?? 0), pageSize ?? Infinity);
    },
    clear: () => attempt(() => database.exec('DELETE FROM entry')),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      listeners.clear();
      if (database.isOpen) database.close();
    },
  };
}

function readRows(rows: Iterable<Record<string, unknown> | undefined>): readonly Entry[] {
  const entries: Entry[] = [];
  for (const row of rows)
    if (row !== undefined)
      entries.push({ ...(JSON.parse(String(row['body'])) as Entry), id: Number(row['id']) });
  return entries;
}

const searched = ['$.message', '$.request.url', '$.request.body.text', '$.response.body.text'];

/** Returns the condition of a filter, without its page size. */
function toCondition({ type, name, outcome, run, text, before, after }: EntryFilter): {
  readonly where: string;
  readonly values: readonly SQLInputValue[];
} {
  const contains = searched.map((path) => `instr(coalesce(body ->> '${path}', ''), ?) > 0`);
  const conditions: readonly (readonly [string, readonly (SQLInputValue | undefined)[]])[] = [
    ['type = ?', [type]],
    ['name = ?', [name]],
    ['failed = ?', [outcome === undefined ? undefined : outcome === 'failed' ? 1 : 0]],
    ['run = ?', [run]],
    ['id < ?', [before]],
    ['id > ?', [after]],
    [`(${contains.join(' OR ')})`, searched.map(() => text)],
  ];
  const used = conditions.filter(([, values]) => values[0] !== undefined);
  return {
    where: used.length === 0 ? '' : `WHERE ${used.map(([condition]) => condition).join(' AND ')}`,
    values: used.flatMap(([, values]) => values.flatMap((value) => value ?? [])),
  };
}
