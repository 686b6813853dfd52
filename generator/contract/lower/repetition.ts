import type { Contract, Operation } from '../contract.ts';

/**
 * Whether a call may be sent again when its outcome is unknown, and why. Its method is idempotent, it issues an access
 * token, the contract states it (`x-repeatable`), or an entry of the ledger decides it. `never` where none of these
 * holds.
 */
export type Repetition =
  | { readonly because: 'idempotent' | 'token' | 'stated' | 'never' }
  | { readonly because: 'unstated'; readonly unstated: string };

/** Returns what decides whether a call may be repeated. */
export function repetitionOf(
  { security }: Pick<Contract, 'security'>,
  { id, method, repeatable }: Operation,
): Repetition {
  if (idempotentMethods.has(method)) return { because: 'idempotent' };
  if (security.some(({ accessToken }) => accessToken?.operation === id))
    return { because: 'token' };
  if (typeof repeatable === 'object') return { because: 'unstated', ...repeatable };
  return { because: repeatable === true ? 'stated' : 'never' };
}

/** RFC 9110, section 9.2.2. */
const idempotentMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
]);
