// The module of Node that stores in SQLite: apart, because receivers without types of Node import what else inboxes have.

import type { DatabaseSync } from 'node:sqlite';
import { builtinModule } from '../base/index.ts';
import { InboxError } from './errors.ts';

/**
 * Returns the class of the databases of `node:sqlite`. An import of that module would fail on an older Node without
 * saying what to do, also in an application that never opens a file.
 * @throws InboxError `unsupported-platform` where the platform lacks the module
 */
export function sqliteDatabase(): typeof DatabaseSync {
  const sqlite = builtinModule('node:sqlite') as
    | { readonly DatabaseSync: typeof DatabaseSync }
    | undefined;
  if (sqlite !== undefined) return sqlite.DatabaseSync;
  const { node = '' } = process.versions as { readonly node?: string };
  throw new InboxError(
    'unsupported-platform',
    `The module node:sqlite is missing, which Node has from version 22.13 on. This is ${node === '' ? 'another platform' : `Node ${node}`}. Use a newer Node, or a store in Postgres.`,
  );
}
