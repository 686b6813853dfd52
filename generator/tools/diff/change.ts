import type { Pointer } from '../../json/pointer.ts';
import type { ChangeCode } from './verdicts/verdicts.ts';

/**
 * Who meets a change, and how: `request` is what a caller sends, `response` what it reads; `notification` is what a
 * receiver reads; `type` is an exported type that no call and no notification uses.
 */
export type Role = 'request' | 'response' | 'notification' | 'type';

/** Whether something goes on working. */
export type Survival = 'breaks' | 'keeps';

/** What a change does to those who have one role. */
export interface Effect {
  readonly role: Role;
  /** Integrations that run today, unchanged, against a service that has the change. */
  readonly deployed: Survival;
  /** The code of integrations, compiled against the packages generated after the change. */
  readonly upgrade: Survival;
  readonly why: string;
  /** What those affected have to do; left out where there is nothing to do. */
  readonly migrate?: string;
}

/** One difference between two contracts. */
export interface ContractChange {
  readonly code: ChangeCode;
  /** Where it stands: in the head, or in the base where the head does not have it any more. */
  readonly side: 'base' | 'head';
  readonly pointer: Pointer;
  /** What changed, such as `schema Parcel, /sender/name`. */
  readonly subject: string;
  /** How it changed, in one sentence. */
  readonly message: string;
  /** One for each role that meets it; empty where nobody does. */
  readonly effects: readonly Effect[];
}

/** Whether anybody who does nothing, or only upgrades, is broken by it. */
export function isBreaking({ effects }: ContractChange): boolean {
  return effects.some(({ deployed, upgrade }) => deployed === 'breaks' || upgrade === 'breaks');
}
