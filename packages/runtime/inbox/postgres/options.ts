import { InboxError } from '../inbox-error.ts';

/** The options of `postgresStore`. */
export interface PostgresStoreOptions {
  /** The schema that contains the tables. Default: `public`. */
  readonly schema?: string;
  /**
   * Milliseconds after which a call is rejected, the wait for a connection included. The time of a handler does not
   * count. Default: 5,000.
   */
  readonly timeoutMs?: number;
  /**
   * Permits a server with `fsync = off` or connections with `synchronous_commit = off`: a power failure can then lose
   * acknowledged deliveries.
   */
  readonly allowLossOnPowerFailure?: boolean;
  /** Returns milliseconds since 1970. Default: the clock of the server, which all machines share. */
  readonly clock?: () => number;
}

/** The names of the tables, quoted, with their schema. */
export type Tables = Readonly<
  Record<'schema' | 'receipts' | 'events' | 'identities' | 'audit' | 'counts', string>
>;

/** Checked options. */
export interface PostgresSettings {
  /** The name of the schema, quoted. */
  readonly schema: string;
  readonly tables: Tables;
  readonly timeoutMs: number;
  readonly allowLossOnPowerFailure: boolean;
  /** Whether the application sets the time, which can then change by leaps. */
  readonly hasOwnClock: boolean;
  /** Returns an SQL expression of the present time in milliseconds. */
  readonly now: () => string;
  /** Returns the difference between a time of the application's clock and the present one. */
  readonly delayUntil: (at: number) => number;
}

/** The largest delay of a timer in Node. */
const maxDelay = 2 ** 31 - 1;

/**
 * Checks options and fills in defaults.
 * @throws InboxError `invalid-option`
 */
export function readSettings(options: PostgresStoreOptions): PostgresSettings {
  const { schema = 'public', timeoutMs = 5000, allowLossOnPowerFailure = false, clock } = options;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new InboxError(
      'invalid-option',
      '`schema` must be a name of at most 63 lower-case letters, digits and `_`',
    );
  if (!(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= maxDelay))
    throw new InboxError(
      'invalid-option',
      `\`timeoutMs\` must be an integer above 0 and at most ${maxDelay}`,
    );
  return {
    schema: `"${schema}"`,
    tables: {
      schema: `"${schema}".inbox_schema`,
      receipts: `"${schema}".inbox_receipts`,
      events: `"${schema}".inbox_events`,
      identities: `"${schema}".inbox_identities`,
      audit: `"${schema}".inbox_audit`,
      counts: `"${schema}".inbox_counts`,
    },
    timeoutMs,
    allowLossOnPowerFailure,
    hasOwnClock: clock !== undefined,
    now: () =>
      clock === undefined
        ? '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
        : `${Math.trunc(clock())}::bigint`,
    delayUntil: (at) => Math.trunc(at - (clock ?? Date.now)()),
  };
}
