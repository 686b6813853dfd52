import type { Guard } from '@countersign/console/frame';
import type { Simulator } from '../simulator.ts';

/** What the routes of a console share. */
export interface ConsoleContext {
  readonly simulator: Simulator;
  readonly guard: Guard;
  /** The receivers that were given at the start, as normalized addresses. */
  readonly targets: readonly string[];
  /** Replaces credentials in text. */
  readonly redact: (text: string) => string;
  /** Is called after the journal was cleared. */
  readonly cleared: Set<() => void>;
}
