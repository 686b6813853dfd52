import type { Contract, Operation, Parameter } from './contract.ts';
import { unstatedId } from './unstated-id.ts';

/**
 * Whether a call may be sent again when its outcome is unknown, and why. Its method is idempotent, it issues an access
 * token, the contract states it (`x-repeatable`), or an entry of the ledger decides it. `never` where none of these
 * holds, and where the contract states that a call may not be, whatever its method. `kept`: only if all attempts carry the same value of the parameter that the expression `keeps` names.
 */
export type Repetition =
  | { readonly because: 'idempotent' | 'token' | 'stated' | 'never' }
  | { readonly because: 'kept'; readonly keeps: string }
  | { readonly because: 'unstated'; readonly unstated: string };

/** Returns what decides whether a call may be repeated. */
export function repetitionOf(
  { security }: Pick<Contract, 'security'>,
  { id, method, repeatable }: Operation,
): Repetition {
  const isDoubted = repeatable === false || unstatedId(repeatable) !== undefined;
  if (idempotentMethods.has(method) && !isDoubted) return { because: 'idempotent' };
  if (security.some(({ accessToken }) => accessToken?.operation === id))
    return { because: 'token' };
  const unstated = unstatedId(repeatable);
  if (unstated !== undefined) return { because: 'unstated', unstated };
  const keeps = keptExpression(repeatable);
  if (keeps !== undefined) return { because: 'kept', keeps };
  return { because: repeatable === true ? 'stated' : 'never' };
}

/** Returns the member `keeps` of a value of `x-repeatable`; `undefined` where it has none. */
export function keptExpression(repeatable: unknown): string | undefined {
  if (typeof repeatable !== 'object' || repeatable === null || !('keeps' in repeatable))
    return undefined;
  return typeof repeatable.keeps === 'string' ? repeatable.keeps : undefined;
}

/** Returns the parameter of an operation that a runtime expression names. The letter case of headers is irrelevant. */
export function parameterAt({ parameters }: Operation, expression: string): Parameter | undefined {
  const [, place, name = ''] = /^\$request\.(header|query|path)\.(.+)$/su.exec(expression) ?? [];
  return parameters.find(
    (parameter) =>
      parameter.in === place &&
      (parameter.name === name ||
        (place === 'header' && parameter.name.toLowerCase() === name.toLowerCase())),
  );
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
