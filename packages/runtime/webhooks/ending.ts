import type { Reason } from './outcome.ts';

/** The kinds of a delivery's events, one for each; `null` for an event that matches no kind. */
export type Kinds = readonly (string | null)[];

/** The end of a delivery, for its response and its record. */
export interface Ending {
  readonly reason: Reason;
  readonly detail?: string;
  readonly kinds?: Kinds;
  readonly error?: unknown;
  readonly late?: true;
}
