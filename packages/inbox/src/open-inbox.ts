import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  EventFilter,
  ExportedEvent,
  ExportOptions,
  InboxOperations,
} from '@countersign/runtime/inbox';
import type { PostgresPool } from '@countersign/runtime/inbox/postgres';
import { CommandError } from 'countersign/companion/terminal';

/** An open store, for operators. */
export interface OpenInbox extends InboxOperations {
  /** The name of the file or of the database. */
  readonly name: string;
  /** Reads the events of a filter in parts. */
  readonly exportEvents: (
    filter: EventFilter,
    options: ExportOptions,
  ) => AsyncIterable<readonly ExportedEvent[]>;
  close(): Promise<void>;
}

/** Where the store of an inbox is. */
export interface InboxPlace {
  /** The path of an SQLite file, or the URL of a Postgres database. */
  readonly store: string;
  /** How messages name the store, which can contain a password. */
  readonly shownStore: string;
  /** The schema of the tables in Postgres. */
  readonly schema: string | undefined;
  /** The folder of the project: paths are relative to it, and its `pg` connects to Postgres. */
  readonly folder: string;
}

/**
 * Opens the store of an inbox that exists. A file or a database without an inbox is not changed, and an older schema is
 * not updated: its application may be of that version.
 * @throws CommandError `usage` for another kind of store; `no-inbox` if there is no inbox
 */
export async function openInbox(place: InboxPlace): Promise<OpenInbox> {
  const inbox = await openStore(place);
  const { exportEvents } = await import('@countersign/runtime/inbox');
  return { ...inbox, exportEvents: (filter, options) => exportEvents(inbox, filter, options) };
}

/** A store that is open. */
type OpenStore = Omit<OpenInbox, 'exportEvents'>;

async function openStore({ store, shownStore, schema, folder }: InboxPlace): Promise<OpenStore> {
  if (/^postgres(?:ql)?:\/\//iu.test(store)) return await openPostgres(store, schema, folder);
  if (/^[a-z][a-z\d+.-]+:\/\//iu.test(store))
    throw new CommandError(
      'usage',
      'The inbox is the path of an SQLite file, or a URL that begins with postgres://.',
    );
  if (schema !== undefined)
    throw new CommandError('usage', '--schema is only for an inbox in Postgres.');
  return await openSqlite(store, shownStore, folder);
}

async function openPostgres(
  url: string,
  schema: string | undefined,
  folder: string,
): Promise<OpenStore> {
  const { Pool } = await importPg(folder);
  const { postgresStore } = await import('@countersign/runtime/inbox/postgres');
  const pool = new Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 5000 });
  // The next call reports the loss of an idle connection.
  pool.on('error', () => undefined);
  const store = postgresStore(pool, schema === undefined ? {} : { schema });
  return {
    ...store,
    name: URL.parse(url)?.pathname.slice(1) || 'postgres',
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

/** The part of `pg` that the command uses. */
interface PgModule {
  readonly Pool: new (options: object) => PostgresPool & {
    on(event: 'error', listener: () => void): unknown;
    end(): Promise<void>;
  };
}

/** Imports `pg` of the project. @throws CommandError `usage` where it is not installed */
async function importPg(folder: string): Promise<PgModule> {
  let path: string;
  try {
    path = createRequire(join(folder, 'package.json')).resolve('pg');
  } catch (error) {
    const { packageManagers } = await import('countersign/companion/frameworks');
    const { findApplicationManager } = await import('countersign/companion/project');
    const { add } = packageManagers[await findApplicationManager(folder)];
    const help = `An inbox in Postgres needs the package pg. Install it: \`${add} pg\`.`;
    throw new CommandError('usage', help, { cause: error });
  }
  const module = (await import(pathToFileURL(path).href)) as { readonly default: PgModule };
  return module.default;
}

async function openSqlite(store: string, shownStore: string, folder: string): Promise<OpenStore> {
  const path = resolve(folder, store);
  await assertInbox(path, shownStore);
  const { sqliteStore } = await import('@countersign/runtime/inbox/sqlite');
  return { ...sqliteStore(path, { migrate: false }), name: basename(path) };
}

/** @throws CommandError `no-inbox` */
async function assertInbox(path: string, shownStore: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined)
    throw new CommandError('no-inbox', `${shownStore} does not exist or cannot be read.`);
  if (stats.isFile() && (await hasInbox(path))) return;
  throw new CommandError('no-inbox', `${shownStore} is not the file of an inbox.`);
}

/** Returns whether an SQLite file has the table that every version of the inbox has. Writes nothing to the file. */
async function hasInbox(path: string): Promise<boolean> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'inbox_schema'";
      return database.prepare(find).get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}
