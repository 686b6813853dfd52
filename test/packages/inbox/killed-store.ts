import type { StoreHarness } from './store-harness.ts';

/** A store that processes are killed on. */
export interface KilledStore<Scope, Result> {
  readonly harness: StoreHarness<Scope, Result>;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Returns what is damaged. */
  readonly check?: () => readonly unknown[];
}
