import { InboxError, isInboxError } from '../inbox-error.ts';
import type { Failure } from './messages.ts';

/** Returns an error as data. Messages of SQLite name tables and files, and contain no values. */
export function toFailure(error: unknown): Failure {
  if (isInboxError(error)) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : 'unknown error';
  return { code: 'store-failed', message: `The inbox's database failed: ${reason}` };
}

/** Returns the InboxError of a failure. */
export function toInboxError(failure: Failure): InboxError {
  return new InboxError(failure.code, failure.message);
}
