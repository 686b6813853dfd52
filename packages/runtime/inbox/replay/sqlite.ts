// A replay store in a file of SQLite.

import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { InboxError, isInboxError } from '../errors.ts';
import { sqliteDatabase } from '../sqlite-module.ts';
import {
  isBusy,
  readLease,
  readReplayOptions,
  type ReplayClaim,
  type ReplayOptions,
  type ReplayStore,
  retryWhileBusy,
} from './replay-store.ts';

export type { ReplayClaim, ReplayStore } from './replay-store.ts';

/** A key without an owner is confirmed. `until` is in milliseconds since 1970. */
const schema = `
CREATE TABLE IF NOT EXISTS countersign_replay (
  key TEXT PRIMARY KEY,
  owner TEXT,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS countersign_replay_until ON countersign_replay (until);
`;

const findSql = 'SELECT owner, until FROM countersign_replay WHERE key = ?';

const claimSql = `
INSERT INTO countersign_replay (key, owner, until) VALUES (:key, :owner, :until)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
WHERE countersign_replay.until <= :now OR countersign_replay.owner = excluded.owner`;

const confirmSql = `
INSERT INTO countersign_replay (key, owner, until) VALUES (:key, NULL, :until)
ON CONFLICT (key) DO UPDATE SET owner = NULL, until = excluded.until
WHERE countersign_replay.until <= :now
  OR countersign_replay.owner IS NULL OR countersign_replay.owner = :owner`;

const releaseSql = 'DELETE FROM countersign_replay WHERE key = ? AND owner = ?';

/** How many expired keys a claim deletes. More than one, so that the file does not grow. */
const deletedByClaim = 10;

const deleteExpiredSql = `
DELETE FROM countersign_replay WHERE key IN
  (SELECT key FROM countersign_replay WHERE until <= ? LIMIT ${deletedByClaim})`;

/** The replay keys in an SQLite file. Every method is one transaction, and throws at once if the file is locked. */
class SqliteFile {
  readonly #claims: DatabaseSync;
  readonly #confirmations: DatabaseSync;
  readonly #find: StatementSync;
  readonly #claim: StatementSync;
  readonly #deleteExpired: StatementSync;
  readonly #confirm: StatementSync;
  readonly #release: StatementSync;

  constructor(path: string) {
    const Database = sqliteDatabase();
    // SQLite gives the files beside it, `-wal` and `-shm`, the same mode.
    closeSync(openSync(path, 'a', 0o600));
    // A power failure may undo a claim: its handler has stopped as well. It may not undo a confirmation.
    this.#claims = connect(Database, path, 'NORMAL');
    try {
      this.#claims.exec(schema);
      this.#find = this.#claims.prepare(findSql);
      this.#claim = this.#claims.prepare(claimSql);
      this.#deleteExpired = this.#claims.prepare(deleteExpiredSql);
      this.#release = this.#claims.prepare(releaseSql);
      this.#confirmations = connect(Database, path, 'FULL');
      this.#confirm = this.#confirmations.prepare(confirmSql);
    } catch (error) {
      this.#claims.close();
      throw error;
    }
  }

  claim(
    key: string,
    owner: string,
    now: number,
    until: number,
    formerKey: string | undefined,
  ): ReplayClaim {
    // Most repetitions are answered without a write lock. Nothing claims or confirms a former key any more.
    const formerState = formerKey === undefined ? undefined : this.#stateOf(formerKey, owner, now);
    const held = formerState ?? this.#stateOf(key, owner, now);
    if (held !== undefined) return held;
    this.#claims.exec('BEGIN IMMEDIATE');
    try {
      this.#deleteExpired.run(now);
      const { changes } = this.#claim.run({ key, owner, now, until });
      const state = Number(changes) === 1 ? 'claimed' : this.#stateOf(key, owner, now);
      this.#claims.exec('COMMIT');
      return state ?? 'busy';
    } catch (error) {
      // SQLite itself rolls back after some errors, such as a full disk.
      if (this.#claims.isTransaction) this.#claims.exec('ROLLBACK');
      throw error;
    }
  }

  confirm(key: string, owner: string, now: number, until: number): void {
    this.#confirm.run({ key, owner, now, until });
  }

  release(key: string, owner: string): void {
    this.#release.run(key, owner);
  }

  close(): void {
    this.#confirmations.close();
    this.#claims.close();
  }

  /** Returns why the key cannot be claimed, or `undefined`. */
  #stateOf(key: string, owner: string, now: number): 'seen' | 'busy' | undefined {
    const row = this.#find.get(key);
    if (row === undefined || Number(row['until']) <= now || row['owner'] === owner)
      return undefined;
    return row['owner'] === null ? 'seen' : 'busy';
  }
}

function connect(
  Database: typeof DatabaseSync,
  path: string,
  synchronous: 'NORMAL' | 'FULL',
): DatabaseSync {
  const database = new Database(path, { timeout: 0 });
  try {
    const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
    if (mode !== 'wal')
      throw new InboxError(
        'store-failed',
        'The file system of the replay store does not support WAL. Use a local disk.',
      );
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The options of `sqliteReplayStore`. */
export interface SqliteReplayStoreOptions extends ReplayOptions {
  /** Returns milliseconds since 1970. All processes must have the same clock. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** A replay store in an SQLite file. */
export interface SqliteReplayStore extends ReplayStore {
  /** Closes the file. Every later call is rejected with `closed`. */
  readonly close: () => void;
}

/**
 * Creates a replay store in an SQLite file, for the processes of one machine. Creates the file with mode 0600 if it does
 * not exist. Needs Node 22.13 or later and a local disk.
 * @throws InboxError `invalid-option` for a path or time that is out of range
 * @throws InboxError `store-failed` for a file that cannot be opened
 * @throws InboxError `unsupported-platform` where Node has no `node:sqlite`
 */
export function sqliteReplayStore(
  path: string,
  options: SqliteReplayStoreOptions = {},
): SqliteReplayStore {
  const { timeToLiveMs, timeoutMs } = readReplayOptions(options);
  const { clock = () => Date.now() } = options;
  if (path === '' || path === ':memory:' || path.startsWith('file:'))
    throw new InboxError(
      'invalid-option',
      'The path of the replay store must be a file. `createMemoryReplayStore` is for one process.',
    );
  let file: SqliteFile | undefined;
  let isClosed = false;
  const open = (): SqliteFile => {
    if (isClosed) throw new InboxError('closed', 'The replay store is closed.');
    return (file ??= new SqliteFile(path));
  };
  try {
    open();
  } catch (error) {
    // Another process is creating or has locked the file. The first call opens it.
    if (!isBusy(error))
      throw isInboxError(error)
        ? error
        : new InboxError('store-failed', 'The file of the replay store cannot be opened.', {
            cause: error,
          });
  }
  return {
    claim: async (key, leaseMs, owner, formerKey) => {
      const milliseconds = readLease(leaseMs);
      return await retryWhileBusy(() => {
        const now = Math.floor(clock());
        return open().claim(key, owner, now, now + milliseconds, formerKey);
      }, timeoutMs);
    },
    confirm: (key, owner) =>
      retryWhileBusy(() => {
        const now = Math.floor(clock());
        open().confirm(key, owner, now, now + timeToLiveMs);
      }, timeoutMs),
    release: (key, owner) =>
      retryWhileBusy(() => {
        open().release(key, owner);
      }, timeoutMs),
    close: () => {
      isClosed = true;
      file?.close();
      file = undefined;
    },
  };
}
