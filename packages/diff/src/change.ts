import type { Pointer } from 'countersign';
import type { Contract } from 'countersign/kit';
import type { Verdict } from './verdicts/verdict.ts';
import { type ChangeCode, verdicts } from './verdicts/verdicts.ts';

/** A contract before a change (base) and after it (head). */
export interface ContractPair {
  readonly base: Contract;
  readonly head: Contract;
}

/**
 * The use of a changed value: a caller sends a `request` and reads a `response`, and a receiver reads a `notification`.
 * A `type` is an exported type that no operation and no notification uses.
 */
export type Role = 'request' | 'response' | 'notification' | 'type';

/** The effect of a change on one role. */
export interface Effect extends Verdict {
  readonly role: Role;
}

/** One difference between two contracts. */
export interface ContractChange {
  readonly code: ChangeCode;
  /** The contract of `pointer`: the head, or the base for something that the head no longer has. */
  readonly side: 'base' | 'head';
  readonly pointer: Pointer;
  /** The changed part, such as `schema Parcel, /sender/name`. */
  readonly subject: string;
  /** How it changed, in one sentence. */
  readonly message: string;
  /** The effects on each affected role; empty if no role is affected. */
  readonly effects: readonly Effect[];
  /** The id of the ledger entry whose answer causes the change; left out for other changes. */
  readonly answer?: string;
}

/** Creates a change of one part of a contract. */
export type CreateChange = (code: ChangeCode, message: string) => ContractChange;

/**
 * Returns the function that creates the changes of one part of a contract. Their effects follow from the code and the
 * affected roles.
 */
export function changesAt(
  pointer: Pointer,
  subject: string,
  roles: Iterable<Role>,
  side: ContractChange['side'] = 'head',
): CreateChange {
  return (code, message) => {
    const effects = [...new Set(roles)].flatMap((role) => effectOn(code, role) ?? []);
    return { code, side, pointer, subject, message, effects };
  };
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

/** Returns whether a change breaks deployed integrations, or breaks integrations that upgrade. */
export function isBreaking({ effects }: ContractChange): boolean {
  return effects.some(({ deployed, upgrade }) => deployed === 'breaks' || upgrade === 'breaks');
}
