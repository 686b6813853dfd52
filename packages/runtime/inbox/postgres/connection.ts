// Connections to Postgres: options, transactions, errors, and the version of the tables.

import { setTimeout as delay } from 'node:timers/promises';
import { createDeferred, InboxError, isInboxError } from '../errors.ts';
import { integer, type Row, text } from '../rows.ts';
import { migrations } from './migrations.ts';

/** Returns text as it is stored: Postgres has no NUL in text. */
function encodeText(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\0', '\\0');
}

/** Returns the text that was stored. */
function decodeText(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replaceAll(/\\([\\0])/g, (_, character) => (character === '0' ? '\0' : '\\'));
}

/** Returns the SQL of text, for a message of several statements: it can have no parameters. */
export function textLiteral(value: string): string {
  // In this form, a backslash has the same meaning under every setting of the server.
  return `E'${encodeText(value).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns the SQL of text that can be NULL. */
export function optionalLiteral(value: string | null): string {
  return value === null ? 'NULL' : textLiteral(value);
}

/** Returns the SQL of an integer. */
export function integerLiteral(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError('The value is not an integer');
  return String(value);
}

/** What the store uses of a connection of `pg`. */
export interface PostgresClient {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  release(destroy?: boolean): void;
}

/** What the store uses of a `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  /** Passes the connection on without delay. A pool without this form returns the promise. */
  connect(
    callback: (error: Error | undefined, client: PostgresClient | undefined) => void,
  ): unknown;
  /** The number of connections limits how many handlers run at the same time. */
  readonly options?: { readonly max?: number };
}

/** The type of the connections of a pool, such as `PoolClient` of `pg`. */
export type ClientOf<Pool extends PostgresPool> = Pool['connect'] extends {
  // `connect` of `pg` is overloaded: it also takes a callback.
  (): Promise<infer Client extends PostgresClient>;
  (callback: never): void;
}
  ? Client
  : PostgresClient;

/** The options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The schema that contains the tables. Default: `public`. */
  readonly schema?: string;
  /**
   * Milliseconds after which a call is rejected, the wait for a connection included. The time of a handler does not
   * count. Default: 5,000.
   */
  readonly timeoutMs?: number;
  /**
   * Permits a server with `fsync = off` or connections with `synchronous_commit = off`: a power failure can then lose
   * acknowledged deliveries.
   */
  readonly allowLossOnPowerFailure?: boolean;
  /** Returns milliseconds since 1970. Default: the clock of the server, which all machines share. */
  readonly clock?: () => number;
}

/** The names of the tables, quoted, with their schema. */
export type Tables = Readonly<
  Record<'schema' | 'receipts' | 'events' | 'identities' | 'audit' | 'counts', string>
>;

/** Checked options. */
export interface PostgresSettings {
  /** The name of the schema, quoted. */
  readonly schema: string;
  readonly tables: Tables;
  readonly timeoutMs: number;
  readonly allowLossOnPowerFailure: boolean;
  /** Whether the application sets the time, which can then change by leaps. */
  readonly hasOwnClock: boolean;
  /** Returns an SQL expression of the present time in milliseconds. */
  readonly now: () => string;
  /** Returns the difference between a time of the application's clock and the present one. */
  readonly delayUntil: (at: number) => number;
}

/** The largest delay of a timer in Node. */
const maxDelay = 2 ** 31 - 1;

/**
 * Checks options and fills in defaults.
 * @throws InboxError `invalid-option`
 */
export function readSettings(options: PostgresStoreOptions): PostgresSettings {
  const { schema = 'public', timeoutMs = 5000, allowLossOnPowerFailure = false, clock } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new InboxError(
      'invalid-option',
      '`schema` must be a name of at most 63 lower-case letters, digits and `_`',
    );
  if (!(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= maxDelay))
    throw new InboxError(
      'invalid-option',
      `\`timeoutMs\` must be an integer above 0 and at most ${maxDelay}`,
    );
  return {
    schema: `"${schema}"`,
    tables: {
      schema: `"${schema}".inbox_schema`,
      receipts: `"${schema}".inbox_receipts`,
      events: `"${schema}".inbox_events`,
      identities: `"${schema}".inbox_identities`,
      audit: `"${schema}".inbox_audit`,
      counts: `"${schema}".inbox_counts`,
    },
    timeoutMs,
    allowLossOnPowerFailure,
    hasOwnClock: clock !== undefined,
    now: () =>
      clock === undefined
        ? '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
        : `${Math.trunc(clock())}::bigint`,
    delayUntil: (at) => Math.trunc(at - (clock ?? Date.now)()),
  };
}

/** Runs one statement. Text is encoded and decoded. Rejects with the error of `pg`. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** Runs several statements without parameters in one message, and returns the rows of each. */
export type Message = (text: string) => Promise<readonly (readonly Row[])[]>;

/** A connection that is taken from a pool. */
export interface Connection<Client extends PostgresClient> {
  readonly client: Client;
  readonly query: Query;
  readonly message: Message;
  /** Runs a function. After the time limit, ends the connection and rejects with `store-failed`. */
  within<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Ends an open transaction. Returns false if the connection was lost before. */
  rollBack(): Promise<boolean>;
  /** Returns the connection to its pool, or ends it if it cannot be used again. */
  release(): void;
}

/** Takes a connection from a pool. Rejects with `store-failed` after the time limit. */
export async function connect<Client extends PostgresClient>(
  pool: PostgresPool,
  timeoutMs: number,
): Promise<Connection<Client>> {
  // `ClientOf` derives the type of the connections from the type of the pool.
  let usable = true;
  let released = false;
  // Without a listener, the loss of the connection would end the process. The next statement reports it.
  const onError = (): void => {
    usable = false;
  };
  const client = (await take(pool, timeoutMs, onError)) as Client;

  function release(): void {
    if (released) return;
    released = true;
    client.removeListener('error', onError);
    client.release(!usable);
  }

  function destroy(): void {
    usable = false;
    release();
  }

  async function message(text: string): Promise<readonly (readonly Row[])[]> {
    const results = await client.query(text);
    return (Array.isArray(results) ? (results as (typeof results)[]) : [results]).map(({ rows }) =>
      rows.map(decodeRow),
    );
  }

  async function query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const { rows } = await client.query(text, values.map(encodeValue));
    return rows.map(decodeRow);
  }

  async function within<Result>(run: () => Promise<Result>): Promise<Result> {
    const outOfTime = createDeferred<never>();
    const timer = setTimeout(() => {
      outOfTime.reject(noAnswer(timeoutMs));
      destroy();
    }, timeoutMs);
    try {
      return await Promise.race([run(), outOfTime.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    client,
    query,
    message,
    within,
    async rollBack() {
      if (!usable) return false;
      let late = false;
      // A handler that did not end in time can still have a statement in progress, which delays this one.
      const timer = setTimeout(() => {
        late = true;
        destroy();
      }, timeoutMs);
      try {
        await client.query('ROLLBACK');
        return true;
      } catch {
        usable = false;
        return late;
      } finally {
        clearTimeout(timer);
      }
    },
    release,
  };
}

/**
 * Takes a connection and listens to its errors. The listener is attached in the callback of the pool: after a promise,
 * it would come too late for a connection that the server ends at once.
 */
async function take(
  pool: PostgresPool,
  timeoutMs: number,
  onError: () => void,
): Promise<PostgresClient> {
  const { promise, resolve, reject } = createDeferred<PostgresClient>();
  let waiting = true;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reject(noAnswer(timeoutMs));
  }, timeoutMs);
  const accept = (client: PostgresClient): void => {
    if (!waiting) return;
    waiting = false;
    if (late) {
      client.release();
      return;
    }
    client.on('error', onError);
    resolve(client);
  };
  try {
    const returned = pool.connect((error, client) => {
      if (client === undefined) reject(error ?? new TypeError('The pool returned no connection'));
      else accept(client);
    });
    if (returned instanceof Promise) returned.then(accept, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(timeoutMs: number): InboxError {
  return new InboxError('store-failed', `Postgres did not answer within ${timeoutMs} ms`);
}

function encodeValue(value: unknown): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (value instanceof Uint8Array) return toBuffer(value);
  return Array.isArray(value) ? value.map(encodeValue) : value;
}

/** `pg` writes a Buffer as bytes, and another typed array only outside an array. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decodeRow(row: unknown): Row {
  if (typeof row !== 'object' || row === null)
    throw new TypeError('The pool returned a row that is not an object');
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string' ? decodeText(value) : value,
    ]),
  );
}

/** What a transaction needs. */
type TransactionKind =
  /** Waits for the disk at its commit. */
  | 'durable'
  /** Writes what can be lost in a power failure: the event is then claimed again. */
  | 'volatile'
  | 'read';

/** The statements of a transaction. */
export type Work<Result> = (query: Query, message: Message) => Promise<Result>;

/** Runs a function in a transaction of its own, or one statement without parameters, whose rows it returns. */
export interface Transact {
  <Result>(kind: TransactionKind, work: Work<Result>): Promise<Result>;
  (kind: TransactionKind, statement: string): Promise<readonly Row[]>;
}

// A pool, a role or a database can set another level. Each statement must see what was committed before it began. That it
// is read-only by default is how an operator freezes a database, which then accepts nothing.
const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/** Sets the weakest durability that survives a power failure, unless the present one is stronger. */
const waitForDisk = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)`;

/**
 * Returns the statements that begin a transaction whose commit is durable. The last one is a SELECT of expressions, to
 * which others can be added: the server plans each statement.
 */
export function beginDurable(
  { allowLossOnPowerFailure }: PostgresSettings,
  expressions: readonly string[] = [],
): string {
  const selected = [...(allowLossOnPowerFailure ? [] : [waitForDisk]), ...expressions];
  return selected.length === 0 ? begin : `${begin}; SELECT ${selected.join(', ')}`;
}

/** Creates a function that runs transactions on connections of a pool, each within the time limit. */
function createTransact(pool: PostgresPool, settings: PostgresSettings): Transact {
  // The server ends a statement that it no longer needs to answer.
  const timeout = `SET LOCAL statement_timeout = ${settings.timeoutMs}`;
  const beginnings: Readonly<Record<TransactionKind, string>> = {
    durable: `${beginDurable(settings)}; ${timeout}`,
    volatile: `${begin}; ${timeout}; SET LOCAL synchronous_commit = off`,
    read: `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; ${timeout}`,
  };
  async function transact<Result>(
    kind: TransactionKind,
    work: string | Work<Result>,
  ): Promise<Result | readonly Row[]> {
    const connection = await connect(pool, settings.timeoutMs);
    const { query, message } = connection;
    try {
      return await connection.within(async () => {
        if (typeof work === 'string')
          return (await message(`${beginnings[kind]}; ${work}; COMMIT`)).at(-2) ?? [];
        await message(beginnings[kind]);
        const result = await work(query, message);
        await message('COMMIT');
        return result;
      });
    } catch (error) {
      await connection.rollBack();
      throw error;
    } finally {
      connection.release();
    }
  }
  return transact;
}

/** Returns the SQLSTATE of an error of the server. Undefined for an error of the connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

/** The classes of errors whose messages can contain values. */
const classesWithValues: readonly string[] = ['22', '23', 'P0'];

/**
 * Returns an InboxError for any error of the database. Details of the server can contain values of rows, so that only
 * its message is kept, and that only where it names tables, roles or limits.
 */
export function toStoreError(error: unknown): InboxError {
  if (isInboxError(error)) return error;
  const state = sqlState(error);
  if (state === undefined)
    return new InboxError(
      'store-failed',
      `The inbox in Postgres or its connection failed${networkCode(error)}`,
      { cause: error },
    );
  if (state === '42P01')
    return new InboxError(
      'schema-version',
      'The tables of the inbox do not exist. Call `migrate`, or run its `migrations` with `psql`.',
    );
  const reason =
    error instanceof Error && !classesWithValues.includes(state.slice(0, 2))
      ? `: ${error.message}`
      : '';
  return new InboxError('store-failed', `Postgres failed with SQLSTATE ${state}${reason}`);
}

/** Returns the code of an error of the network, such as `ECONNREFUSED`. Its message can contain an address. */
function networkCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z_]+$/u.test(code) ? ` (${code})` : '';
}

/** Connections that handlers leave free: one for receipts, one for claims, renewals and operators. */
const reserved = 2;

/** Limits how many handlers hold a connection at the same time. */
export interface Slots {
  /** Waits for a slot. Returns a function that gives it back. */
  take(): Promise<() => void>;
}

/** Stores that share a pool share its slots. */
const slotsOfPools = new WeakMap<PostgresPool, Slots>();

/**
 * Returns the slots of a pool.
 * @throws InboxError `invalid-option` for a pool that is too small
 */
export function slotsOf(pool: PostgresPool): Slots {
  const max = pool.options?.max ?? Infinity;
  if (max <= reserved)
    throw new InboxError(
      'invalid-option',
      `The pool must have at least ${reserved + 1} connections: handlers use all but ${reserved}`,
    );
  const cachedSlots = slotsOfPools.get(pool);
  if (cachedSlots !== undefined) return cachedSlots;
  const slots = createSlots(max - reserved);
  slotsOfPools.set(pool, slots);
  return slots;
}

function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  function give(): void {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isReturned = false;
      return () => {
        if (!isReturned) give();
        isReturned = true;
      };
    },
  };
}

/** The version of the schema that this program uses. */
const schemaVersion: number = migrations.length;

/** Checks a server before its first use, and again after a failure: another one can have replaced it. */
interface ServerCheck {
  /** @throws InboxError `unsafe-durability`, `unsupported-platform`, `schema-version` */
  check(): Promise<void>;
  reset(): void;
}

/** Creates the check of a store. */
function createServerCheck(transact: Transact, settings: PostgresSettings): ServerCheck {
  let checked: Promise<void> | undefined;
  return {
    check() {
      checked ??= checkServer(transact, settings).catch((error: unknown) => {
        checked = undefined;
        throw error;
      });
      return checked;
    },
    reset() {
      checked = undefined;
    },
  };
}

async function checkServer(transact: Transact, settings: PostgresSettings): Promise<void> {
  const { tables, allowLossOnPowerFailure } = settings;
  const [server, schema] = await transact('read', async (query) => [
    await query(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('server_encoding') AS encoding`,
    ),
    await query(`SELECT coalesce(max(version), 0) AS version FROM ${tables.schema}`),
  ]);
  for (const row of server) {
    if (text(row, 'encoding') !== 'UTF8')
      throw new InboxError('unsupported-platform', 'The database must have the encoding UTF8');
    if (allowLossOnPowerFailure) continue;
    for (const [name, value] of [
      ['fsync', text(row, 'fsync')],
      ['synchronous_commit', text(row, 'commit')],
    ] as const)
      if (value === 'off')
        throw new InboxError(
          'unsafe-durability',
          `With \`${name} = off\` a power failure can lose acknowledged deliveries. ` +
            'Change it, or set `allowLossOnPowerFailure: true`.',
        );
  }
  for (const row of schema) {
    const version = integer(row, 'version');
    if (version < schemaVersion || version > schemaVersion + 1)
      throw new InboxError(
        'schema-version',
        `The inbox has schema version ${version}; this program supports ${schemaVersion} and ${schemaVersion + 1}. ` +
          'If the schema is older, call `migrate` or run its `migrations` with `psql`.',
      );
  }
}

/** Runs the operations of a store on a checked server, until the store is closed. */
export class OperationRunner {
  /** Runs a transaction without any check. */
  readonly transact: Transact;
  readonly #server: ServerCheck;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(pool: PostgresPool, settings: PostgresSettings) {
    this.transact = createTransact(pool, settings);
    this.#server = createServerCheck(this.transact, settings);
  }

  /** @throws InboxError `unsafe-durability`, `unsupported-platform`, `schema-version` */
  async checkServer(): Promise<void> {
    await this.#server.check();
  }

  /**
   * Runs an operation that `close` waits for.
   * @throws InboxError `closed`
   */
  async run<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new InboxError('closed', 'The inbox is closed');
    const result = operation();
    this.#running.add(result);
    try {
      return await result;
    } catch (error) {
      if (isInboxError(error) && error.code === 'store-failed') this.#server.reset();
      throw error;
    } finally {
      this.#running.delete(result);
    }
  }

  /** Runs an operation on a checked server. Rejects with an InboxError only. */
  async operate<Result>(operation: () => Promise<Result>): Promise<Result> {
    return await this.run(async () => {
      try {
        await this.checkServer();
        return await operation();
      } catch (error) {
        throw toStoreError(error);
      }
    });
  }

  /** Runs a transaction on a checked server. Rejects with an InboxError only. */
  async inTransaction<Result>(kind: TransactionKind, work: Work<Result>): Promise<Result> {
    return await this.operate(() => this.transact(kind, work));
  }

  /** Runs one statement in a transaction on a checked server, and returns its rows. */
  async runStatement(kind: TransactionKind, statement: string): Promise<readonly Row[]> {
    return await this.operate(() => this.transact(kind, statement));
  }

  /** Refuses further operations, and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
  }
}

/** How long the changes of one version can take. */
const versionTimeoutMs = 600_000;

/** How long a change waits for the transactions in progress before it lets those behind it go first. */
const lockTimeout = '200ms';

/** The codes of failures that pass: a lock that was not available, and a deadlock. */
const passingStates: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Brings the schema of a database to the given version. A newer version stays as it is. Receipts are stored meanwhile:
 * indexes of existing tables are built concurrently, outside of a transaction. A migration that was stopped at any point
 * continues with the next call, and of several at once, one works and the others wait.
 * @throws InboxError `store-failed`
 */
export async function migrate(
  pool: PostgresPool,
  settings: PostgresSettings,
  versions: readonly string[],
): Promise<void> {
  const deadline = performance.now() + versionTimeoutMs;
  for (;;) {
    try {
      const progress = await applyNext(pool, settings, versions);
      if (progress === 'finished') return;
      if (progress === 'applied') continue;
      if (performance.now() > deadline)
        throw new InboxError(
          'store-failed',
          'Another process has been migrating the inbox for ten minutes',
        );
    } catch (error) {
      if (!passingStates.has(sqlState(error)) || performance.now() > deadline) throw error;
    }
    await delay(500 + Math.random() * 500);
  }
}

/**
 * Applies one version, or all to a schema without tables. `finished`: there is none left. `busy`: another process is
 * applying one.
 */
async function applyNext(
  pool: PostgresPool,
  settings: PostgresSettings,
  versions: readonly string[],
): Promise<'applied' | 'finished' | 'busy'> {
  const { schema, tables, timeoutMs } = settings;
  const connection = await connect(pool, timeoutMs);
  const { query, message } = connection;
  try {
    // Nothing waits for this lock in a statement: an index that is built concurrently waits for all older statements.
    await message(
      `BEGIN ISOLATION LEVEL READ COMMITTED;
       SET LOCAL statement_timeout = ${versionTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = 0;
       SET LOCAL search_path TO ${schema}, pg_temp; SET LOCAL lock_timeout = '${lockTimeout}'`,
    );
    const [locked] = await query(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('countersign inbox migrations', 0)) AS locked`,
    );
    if (locked?.['locked'] !== true) {
      await message('ROLLBACK');
      return 'busy';
    }
    const [existing] = await query(
      `SELECT 1 AS existing WHERE to_regclass('${tables.schema}') IS NOT NULL`,
    );
    const [row] =
      existing === undefined
        ? []
        : await query(`SELECT max(version) AS version FROM ${tables.schema}`);
    const current = row === undefined ? 0 : integer(row, 'version');
    if (current === 0) {
      // Nobody uses tables that this transaction creates.
      for (const sql of versions) await message(sql.replaceAll(' CONCURRENTLY', ''));
      await message('COMMIT');
      return 'finished';
    }
    const sql = versions[current];
    if (sql?.includes(' CONCURRENTLY ') === true) await applyInSteps(pool, settings, sql);
    else if (sql !== undefined) await message(sql);
    await message('COMMIT');
    return current + 1 >= versions.length ? 'finished' : 'applied';
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}

/** Applies a version on a connection of its own: each statement by itself. */
async function applyInSteps(
  pool: PostgresPool,
  { schema, timeoutMs }: PostgresSettings,
  sql: string,
): Promise<void> {
  const connection = await connect(pool, timeoutMs);
  const { message } = connection;
  // A role or a pool can limit statements and locks. An index of a large table takes minutes, and waits for all
  // transactions in progress. A session without such limits is not changed: PgBouncer would give it to others.
  const limits = ['statement_timeout', 'lock_timeout'];
  let changed: readonly string[] = [];
  try {
    const shown = limits.map((name) => `current_setting('${name}') AS ${name}`).join();
    const [row] = (await message(`SELECT ${shown}`)).at(-1) ?? [];
    changed = limits.filter((name) => row?.[name] !== '0');
    for (const name of changed) await message(`SET ${name} = 0`);
    for (const step of stepsOf(sql))
      await message(
        step.includes(' CONCURRENTLY ')
          ? // Outside of a transaction, there is no search path of its own.
            step.replaceAll(/\b(ON|EXISTS) (?=inbox_)/gu, `$1 ${schema}.`)
          : `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${lockTimeout}';
             SET LOCAL search_path TO ${schema}, pg_temp; ${step}; COMMIT`,
      );
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    // It fails if the connection is lost, which then is not used again.
    for (const name of changed) await message(`RESET ${name}`).catch(() => undefined);
    connection.release();
  }
}

/** Returns the statements of a version. None of them has a semicolon at the end of a line inside. */
export function stepsOf(sql: string): readonly string[] {
  return sql
    .split(/;$/mu)
    .map((step) => step.replaceAll(/^--.*$/gmu, '').trim())
    .filter((step) => step !== '');
}
