import type { Pointer } from '../../json/pointer.ts';
import type { Survival } from './survival.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/**
 * The use of a changed value: a caller sends a `request` and reads a `response`, and a receiver reads a `notification`.
 * A `type` is an exported type that no operation and no notification uses.
 */
export type Role = 'request' | 'response' | 'notification' | 'type';

/** The effect of a change on one role. */
export interface Effect {
  readonly role: Role;
  /** The effect on deployed integrations when the service adopts the change. */
  readonly deployed: Survival;
  /** The effect on the code of integrations, compiled against the packages that are generated after the change. */
  readonly upgrade: Survival;
  readonly why: string;
  /** What affected users have to do; omitted if there is nothing to do. */
  readonly migrate?: string;
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
}

/** Returns whether a change breaks deployed integrations, or breaks integrations that upgrade. */
export function isBreaking({ effects }: ContractChange): boolean {
  return effects.some(({ deployed, upgrade }) => deployed === 'breaks' || upgrade === 'breaks');
}
