import type { Pointer } from 'countersign';
import type { Contract } from 'countersign/kit';
import type { SchemaComparison } from './schemas/compare-schemas.ts';
import type { Verdict } from './verdicts/verdict.ts';
import { type ChangeCode, verdicts } from './verdicts/verdicts.ts';

/** A contract before a change (base) and after it (head). */
export interface ContractPair {
  readonly base: Contract;
  readonly head: Contract;
}

/** What sends or reads the values of a schema. */
export interface SchemaUse {
  readonly role: Role;
  /** The operation, notification or message, as a subject. */
  readonly by: string;
  /** The part of it that has the schema, as a subject. */
  readonly part: string;
}

/** Two contracts, and the schemas of them that are to be compared. */
export interface Comparison extends ContractPair {
  readonly schemas: SchemaComparison<SchemaUse>;
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
  /** The place in the other contract, if it is not the same pointer. */
  readonly counterpart?: Pointer;
  /** The changed part, such as `schema Parcel, /sender/name`. */
  readonly subject: string;
  /** How it changed, in one sentence. */
  readonly message: string;
  /** The member of an object that the message is about, with whose name it begins; left out for other messages. */
  readonly member?: string;
  /** The effects on each affected role; empty if no role is affected. */
  readonly effects: readonly Effect[];
  /**
   * The operations, notifications and messages that the change concerns: those that it breaks first, and otherwise in the
   * order of the contract.
   */
  readonly usedBy: readonly string[];
  /** Set if no value was found that only one side accepts, so that the change may break nothing. */
  readonly undecided?: true;
  /** The id of the ledger entry whose answer causes the change; left out for other changes. */
  readonly answer?: string;
}

/** Creates a change of one part of a contract. */
export type CreateChange = (code: ChangeCode, message: string) => ContractChange;

/** Where a part of a contract is: its side is the head, unless stated. */
export interface ChangePlace {
  readonly pointer: Pointer;
  readonly side?: ContractChange['side'];
  readonly counterpart?: Pointer | undefined;
}

/**
 * Returns the function that creates the changes of one part of a contract. Their effects follow from the code and the
 * affected roles.
 */
export function changesAt(
  { side = 'head', pointer, counterpart }: ChangePlace,
  subject: string,
  roles: Iterable<Role>,
): CreateChange {
  const affected = new Set(roles);
  const place = { side, pointer, ...(counterpart === undefined ? {} : { counterpart }) };
  return (code, message) => {
    const effects = [...affected].flatMap((role) => effectOn(code, role) ?? []);
    return { code, ...place, subject, message, effects, usedBy: [] };
  };
}

/** Returns the place of a part that both contracts have. */
export function inBoth(
  base: Pick<ContractChange, 'pointer'>,
  head: Pick<ContractChange, 'pointer'>,
): ChangePlace {
  return { pointer: head.pointer, counterpart: base.pointer };
}

/** Yields changes with the operation, notification or message that they concern. */
export function* concerning(
  user: string,
  changes: Iterable<ContractChange>,
): Generator<ContractChange> {
  for (const change of changes) yield { ...change, usedBy: [user] };
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
export function isBreaking({ effects }: Pick<ContractChange, 'effects'>): boolean {
  return effects.some(({ deployed, upgrade }) => deployed === 'breaks' || upgrade === 'breaks');
}
