import { InboxError, isInboxError } from '../inbox-error.ts';
import { type ReplayOptions, readLease, readReplayOptions } from './replay-options.ts';
import type { ReplayStore } from './replay-store.ts';
import { isBusy, retryWhileBusy } from './retry-while-busy.ts';
import { SqliteFile } from './sqlite-file.ts';

export type { ReplayClaim, ReplayStore } from './replay-store.ts';

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
