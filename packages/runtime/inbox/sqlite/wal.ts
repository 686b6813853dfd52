import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

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
