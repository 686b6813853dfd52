import type { DatabaseSync } from 'node:sqlite';
import { eventStates } from '../event-state.ts';
import { InboxError } from '../inbox-error.ts';
import { optionalInteger } from '../row.ts';
import { transact } from './transact.ts';

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
