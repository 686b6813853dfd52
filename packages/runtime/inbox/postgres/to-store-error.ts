import { InboxError, isInboxError } from '../inbox-error.ts';

/** Returns the SQLSTATE of an error of the server. Undefined for an error of the connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? error.code
    : undefined;
}

/** The classes of errors whose messages can contain values. */
const classesWithValues: readonly string[] = ['22', '23', 'P0'];

/**
 * Returns an InboxError for any error of the database. Details of the server can contain values of rows, so that only
 * its message is kept, and that only where it names tables, roles or limits.
 */
export function toStoreError(error: unknown): InboxError {
  if (isInboxError(error)) return error;
  const state = sqlState(error);
  if (state === undefined)
    return new InboxError(
      'store-failed',
      `The inbox in Postgres or its connection failed${networkCode(error)}`,
      { cause: error },
    );
  if (state === '42P01')
    return new InboxError(
      'schema-version',
      'The tables of the inbox do not exist. Call `migrate`, or run its `migrations` with `psql`.',
    );
  const reason =
    error instanceof Error && !classesWithValues.includes(state.slice(0, 2))
      ? `: ${error.message}`
      : '';
  return new InboxError('store-failed', `Postgres failed with SQLSTATE ${state}${reason}`);
}

/** Returns the code of an error of the network, such as `ECONNREFUSED`. Its message can contain an address. */
function networkCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z_]+$/u.test(code) ? ` (${code})` : '';
}
