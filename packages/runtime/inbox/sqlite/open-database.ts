import { chmodSync, closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { InboxError } from '../inbox-error.ts';
import { sqliteDatabase } from '../sqlite-module.ts';
import type { SqliteSettings } from './options.ts';

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
