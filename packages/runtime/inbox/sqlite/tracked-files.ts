import { statSync } from 'node:fs';
import { InboxError } from '../inbox-error.ts';

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
