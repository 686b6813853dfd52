import type { WarnOfFailure } from '@countersign/runtime/base';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { KeyPair } from './key-pairs.ts';
import type { Random } from './random.ts';
import type { Redactor } from './sending/redact.ts';
import type { OrUnstated } from 'countersign/kit';
import type { Service } from './service.ts';
import type { SimulatorOptions } from './simulator.ts';

/** What the parts of a simulator share. */
export interface SimulatorContext {
  readonly description: Service;
  readonly options: SimulatorOptions;
  /** The choice that holds for each question with choices, by the question's id. */
  readonly answers: Readonly<Record<string, string>>;
  /** Returns the stated value, or the value of the choice that holds. */
  settle<T>(value: OrUnstated<T>): T;
  /** By name. A credential of the form `pair` is `user:password`. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The key pairs of the signatures that have one, by the id of their security scheme. */
  readonly keyPairs: ReadonlyMap<string, KeyPair>;
  readonly redactor: Redactor;
  readonly random: Random;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The current faults, which can change at any time. */
  readonly faults: { current: Faults };
  /** Reports a failure of a function of the user, of which only the caller of the service learns otherwise. */
  readonly warn: WarnOfFailure;
}
