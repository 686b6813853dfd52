import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { InboxOperations } from '@countersign/inbox';
import type * as sqliteModule from '@countersign/inbox/sqlite';
import { quote } from '../../diagnostics/quote.ts';
import { fromSource } from '../../execution/from-source.ts';
import { CommandError } from '../command-error.ts';

/** An open store, for operators. */
export interface OpenInbox extends InboxOperations {
  close(): Promise<void>;
}

/**
 * Opens the store of an inbox that exists: an SQLite file. A file without an inbox is not changed.
 * @throws CommandError `usage` for another kind of store; `no-inbox` if there is no inbox
 */
export async function openInbox(store: string, folder: string): Promise<OpenInbox> {
  if (/^[a-z][a-z\d+.-]+:\/\//iu.test(store))
    throw new CommandError(
      'usage',
      'This version opens SQLite files only. Give the path of the file with --store.',
    );
  const path = resolve(folder, store);
  await assertInbox(path, store);
  const { sqliteStore } = await fromSource<typeof sqliteModule>(
    () => import('@countersign/inbox/sqlite'),
  );
  return sqliteStore(path);
}

/** @throws CommandError `no-inbox` */
async function assertInbox(path: string, store: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new CommandError('no-inbox', `${quote(store)} does not exist or cannot be read.`);
  if (found.isFile() && (await hasInbox(path))) return;
  throw new CommandError('no-inbox', `${quote(store)} is not the file of an inbox.`);
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
