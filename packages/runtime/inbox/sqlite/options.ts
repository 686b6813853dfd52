import { InboxError } from '../inbox-error.ts';

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
