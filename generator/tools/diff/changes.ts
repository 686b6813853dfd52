import type { Contract } from '../../contract/contract.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { ContractChange, Effect, Role } from './change.ts';
import type { Verdict } from './verdicts/verdict.ts';
import { type ChangeCode, verdicts } from './verdicts/verdicts.ts';

/** A contract before a change (base) and after it (head). */
export interface ContractPair {
  readonly base: Contract;
  readonly head: Contract;
}

/**
 * Creates a change. Its effects are looked up by its code and roles.
 * @param roles the affected roles; empty if no role is affected
 */
export function createChange(
  code: ChangeCode,
  at: { readonly side: ContractChange['side']; readonly pointer: Pointer },
  subject: string,
  message: string,
  roles: Iterable<Role>,
): ContractChange {
  const effects = [...new Set(roles)].flatMap((role) => effectOn(code, role) ?? []);
  return { code, side: at.side, pointer: at.pointer, subject, message, effects };
}

function effectOn(code: ChangeCode, role: Role): Effect | undefined {
  const { sent, received } = verdicts[code];
  if (role === 'type') {
    // The type is not part of any message, so deployed integrations keep working. Code can use the type in either
    // direction; take the direction that breaks.
    const worse: Verdict | undefined = sent?.upgrade === 'breaks' ? sent : (received ?? sent);
    return worse && { ...worse, role, deployed: 'keeps' };
  }
  const verdict = role === 'request' ? sent : received;
  return verdict && { ...verdict, role };
}

/** Pairs the items of two lists by a key, and returns the added and removed items, each in the order of its list. */
export function pairBy<T>(
  base: readonly T[],
  head: readonly T[],
  keyOf: (item: T) => string,
): {
  readonly pairs: readonly (readonly [base: T, head: T])[];
  readonly added: readonly T[];
  readonly removed: readonly T[];
} {
  const before = new Map(base.map((item) => [keyOf(item), item]));
  const after = new Set(head.map(keyOf));
  return {
    pairs: head.flatMap((item) => {
      const old = before.get(keyOf(item));
      return old === undefined ? [] : [[old, item] as const];
    }),
    added: head.filter((item) => !before.has(keyOf(item))),
    removed: base.filter((item) => !after.has(keyOf(item))),
  };
}
