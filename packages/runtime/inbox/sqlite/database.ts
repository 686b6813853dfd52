// The database file: options, transactions, and the version of its tables.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { InboxError } from '../errors.ts';
import { sqliteDatabase } from '../sqlite-module.ts';
import { optionalInteger } from '../rows.ts';
import { eventStates } from '../store.ts';

/** Runs a synchronous function in one `BEGIN IMMEDIATE`. Rolls back if it throws or if the commit fails. */
export function transact<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends an open transaction. SQLite itself ends it after some errors, such as a full disk. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // No transaction was open.
  }
}

/** The options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /**
   * When SQLite waits for the disk. `full` and `extra` keep every acknowledged delivery after a power failure. The
   * others need `allowLossOnPowerFailure`. Default: `full`.
   */
  readonly synchronous?: 'extra' | 'full' | 'normal' | 'off';
  /** Permits `synchronous` to be `normal` or `off`: a power failure can then lose acknowledged deliveries. */
  readonly allowLossOnPowerFailure?: boolean;
  /**
   * The size of the write-ahead log, in bytes, above which deliveries are refused. It grows while another connection
   * holds a read transaction open. Default: 1 GiB.
   */
  readonly maxWalBytes?: number;
  /** Milliseconds to wait for another process that writes. Default: 10,000. */
  readonly busyTimeoutMs?: number;
  /**
   * Whether an older schema of the file is updated. Otherwise, every operation rejects with `schema-version`.
   * Default: true.
   */
  readonly migrate?: boolean;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** The options that the writer thread needs. */
export interface SqliteSettings {
  readonly path: string;
  readonly synchronous: 'extra' | 'full' | 'normal' | 'off';
  readonly maxWalBytes: number;
  readonly busyTimeoutMs: number;
  readonly migrate: boolean;
}

/**
 * Checks options and fills in defaults.
 * @throws InboxError `unsafe-durability`, `invalid-option`
 */
export function readSettings(path: string, options: SqliteStoreOptions): SqliteSettings {
  const {
    synchronous = 'full',
    maxWalBytes = 2 ** 30,
    busyTimeoutMs = 10_000,
    migrate = true,
  } = options;
  // SQLite takes an empty path, `:memory:` and a URI as a database that can be lost with the process.
  if (path === '' || path.startsWith(':') || path.startsWith('file:'))
    throw new InboxError('unsafe-durability', 'The path of the inbox must be the path of a file');
  if (!['extra', 'full', 'normal', 'off'].includes(synchronous))
    throw new InboxError('invalid-option', '`synchronous` must be extra, full, normal or off');
  if (
    (synchronous === 'normal' || synchronous === 'off') &&
    options.allowLossOnPowerFailure !== true
  )
    throw new InboxError(
      'unsafe-durability',
      `With \`synchronous: '${synchronous}'\` a power failure can lose acknowledged deliveries. ` +
        'Leave it out, or set `allowLossOnPowerFailure: true`.',
    );
  if (!(maxWalBytes >= 2 ** 20))
    throw new InboxError('invalid-option', '`maxWalBytes` must be at least 1,048,576');
  if (!(Number.isSafeInteger(busyTimeoutMs) && busyTimeoutMs > 0))
    throw new InboxError('invalid-option', '`busyTimeoutMs` must be an integer above 0');
  return { path, synchronous, maxWalBytes, busyTimeoutMs, migrate };
}

/**
 * Opens the file of an inbox, which only its owner can read.
 * @throws InboxError `unsupported-platform` where the file system has no write-ahead log, or Node has no `node:sqlite`
 */
export function openDatabase(settings: SqliteSettings, busyTimeoutMs: number): DatabaseSync {
  const { path, synchronous } = settings;
  const Database = sqliteDatabase();
  createFile(path);
  // SQLite gives the write-ahead log the mode of the database.
  chmodSync(path, 0o600);
  const database = new Database(path, { timeout: settings.busyTimeoutMs });
  try {
    const [mode] = Object.values(database.prepare('PRAGMA journal_mode = WAL').get() ?? {});
    if (mode !== 'wal')
      throw new InboxError(
        'unsupported-platform',
        'The file system of the inbox does not support a write-ahead log. Use a local disk.',
      );
    database.exec(
      // On macOS, only a full fsync reaches the disk; elsewhere these two have no effect.
      'PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA foreign_keys = ON; ' +
        // Deleted payloads are overwritten, not only unlinked.
        'PRAGMA secure_delete = ON; ' +
        // A log that grew while a reader was open is cut to this size afterwards.
        'PRAGMA journal_size_limit = 16777216; ' +
        `PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = ${busyTimeoutMs}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Creates an empty file unless it exists. Does not open one that exists: to close it again would end the locks that
 * other connections of this process have on it, and another process could then delete the write-ahead log in use.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The files of an open database. */
export interface TrackedFiles {
  /**
   * Checks that the paths still lead to the files that are open.
   * @throws InboxError `store-failed` if one was deleted, moved or replaced: what is written to it would be lost
   */
  check(): void;
}

/** Remembers which files a connection has open. Call it after the connection is opened. */
export function trackFiles(path: string): TrackedFiles {
  const files = [path, `${path}-wal`].map((name) => ({ name, opened: identify(name) }));
  return {
    check() {
      for (const file of files) {
        const present = identify(file.name);
        // SQLite creates the log with the first transaction.
        file.opened ??= present;
        if (present === file.opened) continue;
        throw new InboxError(
          'store-failed',
          'The file of the inbox, or its write-ahead log, was deleted, moved or replaced while it was open. ' +
            'Put it back, or restart the process to open the file that is there now.',
        );
      }
    },
  };
}

/** Returns what distinguishes a file from all others; `undefined` if there is none. */
function identify(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** By how much the log grows before it is restarted. SQLite's own checkpoints keep it at about 4 MiB. */
const restartBytes = 8 * 2 ** 20;

/** Milliseconds to wait for readers. */
const waitMs = 100;

/** Milliseconds between two attempts while deliveries are refused. */
const intervalMs = 1000;

/** Keeps the write-ahead log small. */
export interface WalLimit {
  /** Restarts the log if it is large. SQLite's own checkpoints never do this while readers overlap. */
  maintain(): void;
  /** Returns whether the log is above the limit, and tries to restart it first. */
  exceeded(): boolean;
}

/** Creates the limit for a connection. `busyTimeoutMs` is the timeout of the connection otherwise. */
export function createWalLimit(
  database: DatabaseSync,
  path: string,
  maxBytes: number,
  busyTimeoutMs: number,
): WalLimit {
  const wal = `${path}-wal`;
  let next = 0;
  let threshold = restartBytes;

  const size = (): number => statSync(wal, { throwIfNoEntry: false })?.size ?? 0;

  function restart(): void {
    next = performance.now() + intervalMs;
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    try {
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    } catch {
      // The log keeps every commit. If the disk has failed, the next call reports it.
    } finally {
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      threshold = size() + restartBytes;
    }
  }

  return {
    maintain() {
      if (size() > threshold) restart();
    },
    exceeded() {
      if (size() <= maxBytes) return false;
      if (performance.now() >= next) restart();
      return size() > maxBytes;
    },
  };
}

/**
 * The schema of the inbox, version by version. A version only adds what the code of the version before it can ignore:
 * both serve at the same time while an application is deployed.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE inbox_receipts (
    receipt INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    method TEXT NOT NULL,
    target TEXT NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    verdict TEXT,
    events INTEGER NOT NULL
  ) STRICT;

  -- seq is the order of the commits: SQLite has one writer at a time.
  -- queued is 1 while the event has a place in the queue of its key: until it is handled, discarded or skipped.
  -- claims counts the claims; its value is the token of the present one.
  CREATE TABLE inbox_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt INTEGER NOT NULL REFERENCES inbox_receipts (receipt),
    position INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    kind TEXT,
    order_key TEXT,
    identity TEXT,
    state TEXT NOT NULL,
    queued INTEGER NOT NULL DEFAULT 1,
    retry_at INTEGER,
    failed_at INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    claims INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until INTEGER,
    error TEXT,
    finished_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX inbox_events_of_receipt ON inbox_events (receipt, position);
  CREATE INDEX inbox_events_queue ON inbox_events (order_key, state, seq)
    WHERE queued = 1 AND order_key IS NOT NULL;
  CREATE INDEX inbox_events_key ON inbox_events (order_key) WHERE order_key IS NOT NULL;
  CREATE INDEX inbox_events_ready ON inbox_events (seq) WHERE state = 'ready';
  CREATE INDEX inbox_events_waiting ON inbox_events (seq) WHERE state = 'waiting';
  CREATE INDEX inbox_events_retry ON inbox_events (retry_at) WHERE state = 'retry';
  CREATE INDEX inbox_events_working ON inbox_events (seq) WHERE state = 'working';
  CREATE INDEX inbox_events_dead ON inbox_events (seq) WHERE state = 'dead';
  CREATE INDEX inbox_events_finished ON inbox_events (finished_at) WHERE finished_at IS NOT NULL;

  CREATE TABLE inbox_identities (
    identity TEXT PRIMARY KEY,
    event_id TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    repetitions INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX inbox_identities_age ON inbox_identities (stored_at);

  CREATE TABLE inbox_audit (
    record INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    action TEXT NOT NULL,
    event_id TEXT,
    detail TEXT
  ) STRICT;

  -- Counting a million rows takes long, and the backlog is checked for every receipt.
  CREATE TABLE inbox_counts (name TEXT PRIMARY KEY, events INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO inbox_counts VALUES ('duplicates', 0), ${eventStates.map((state) => `('${state}', 0)`).join(', ')};
  CREATE TRIGGER inbox_count_inserted AFTER INSERT ON inbox_events BEGIN
    UPDATE inbox_counts SET events = events + 1 WHERE name = NEW.state;
  END;
  CREATE TRIGGER inbox_count_changed AFTER UPDATE OF state ON inbox_events WHEN OLD.state <> NEW.state BEGIN
    UPDATE inbox_counts SET events = events - 1 WHERE name = OLD.state;
    UPDATE inbox_counts SET events = events + 1 WHERE name = NEW.state;
  END;
  CREATE TRIGGER inbox_count_deleted AFTER DELETE ON inbox_events BEGIN
    UPDATE inbox_counts SET events = events - 1 WHERE name = OLD.state;
  END;
  `,
  `
  -- identified is 1 if a worker identified the event, because its receiver could not.
  -- ends counts the interruptions since the last attempt with a result.
  ALTER TABLE inbox_events ADD COLUMN identified INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE inbox_events ADD COLUMN ends INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX inbox_events_interrupted ON inbox_events (seq) WHERE ends > 0 AND state IN ('ready', 'retry');
  INSERT INTO inbox_counts VALUES ('interruptions', 0);
  `,
  `
  -- rejection is JSON: how the delivery violates the contract, if that was the last failure.
  ALTER TABLE inbox_events ADD COLUMN rejection TEXT;
  -- For workers that limit kinds: what can be claimed of each kind. retry_at is NULL for first attempts.
  CREATE INDEX inbox_events_kinds ON inbox_events (kind, retry_at, seq) WHERE state IN ('ready', 'retry');
  -- alerted is 1 if \`onDeadLetter\` has succeeded for the dead letter. alerts counts its calls, and alert_at is the time
  -- before which no further one begins.
  ALTER TABLE inbox_events ADD COLUMN alerted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE inbox_events ADD COLUMN alerts INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE inbox_events ADD COLUMN alert_at INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX inbox_events_alerts ON inbox_events (alert_at, seq) WHERE state = 'dead' AND alerted = 0;
  `,
];

/**
 * Checks that a database has the present version of the schema, or the next one, and changes nothing.
 * @throws InboxError `schema-version`
 */
export function requireVersion(database: DatabaseSync): void {
  const current = readVersion(database);
  if (current < migrations.length)
    throw new InboxError(
      'schema-version',
      `The inbox has schema version ${current}, and this program needs ${migrations.length}. ` +
        'Start its application with the runtime of this version of countersign, which updates the file.',
    );
  refuseNewer(current, migrations.length);
}

/** @throws InboxError `schema-version` */
function refuseNewer(current: number, supported: number): void {
  if (current > supported + 1)
    throw new InboxError(
      'schema-version',
      `The inbox has schema version ${current}; this program supports ${supported} and ${supported + 1}.`,
    );
}

const createVersions =
  'CREATE TABLE IF NOT EXISTS inbox_schema (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT';

/** Milliseconds between two changes of a file with events. A receipt of another process tries at least every 100. */
const pauseMs = 200;

/**
 * Brings the schema of a database to the present version. A newer version is accepted if it is at most one ahead: its
 * application is being deployed. In a file with events, each statement has a transaction of its own, and others can
 * write between two of them. A migration that was stopped continues with the next call, also beside another one.
 * @param pause is called between two transactions
 * @throws InboxError `schema-version`
 */
export function migrate(
  database: DatabaseSync,
  versions: readonly string[] = migrations,
  pause: () => void = waitForOthers,
): void {
  const start = transact(database, () => {
    database.exec(createVersions);
    const current = readVersion(database);
    refuseNewer(current, versions.length);
    if (current > 0) return current;
    for (const [index, sql] of versions.entries()) {
      database.exec(sql);
      recordVersion(database, index + 1);
    }
    return versions.length;
  });
  for (const [index, sql] of versions.entries()) {
    if (index < start) continue;
    const steps = stepsOf(sql);
    for (const [place, step] of steps.entries()) {
      transact(database, () => {
        if (readVersion(database) > index) return;
        if (!isApplied(database, step)) database.exec(step);
        // The last statement need not be one that can be repeated.
        if (place === steps.length - 1) recordVersion(database, index + 1);
      });
      pause();
    }
  }
}

function waitForOthers(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}

function readVersion(database: DatabaseSync): number {
  const row = database.prepare('SELECT max(version) AS version FROM inbox_schema').get();
  return row === undefined ? 0 : (optionalInteger(row, 'version') ?? 0);
}

function recordVersion(database: DatabaseSync, version: number): void {
  database
    .prepare('INSERT INTO inbox_schema (version, applied_at) VALUES (?, ?)')
    .run(version, Date.now());
}

/** Returns the statements of a version after the first one, whose triggers have statements inside. */
export function stepsOf(sql: string): readonly string[] {
  return sql
    .split(/;$/mu)
    .map((step) => step.replaceAll(/^[ \t]*--.*$/gmu, '').trim())
    .filter((step) => step !== '');
}

/** Returns whether a statement that adds a column or an index was applied before. */
function isApplied(database: DatabaseSync, step: string): boolean {
  const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/u.exec(step) ?? [];
  if (table !== undefined && column !== undefined)
    return (
      database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !==
      undefined
    );
  const [, index] = /^CREATE INDEX (\w+)/u.exec(step) ?? [];
  if (index === undefined) return false;
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?").get(index) !==
    undefined
  );
}
