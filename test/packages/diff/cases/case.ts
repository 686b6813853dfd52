import type { Role } from '../../../../packages/diff/src/change.ts';
import type { ChangeCode } from '../../../../packages/diff/src/verdicts/verdicts.ts';
import type { Draft, Mutation } from '../parcels.ts';

/** Whom a change breaks: applications that run today, those that upgrade, both or none. */
export type Broken = 'both' | 'today' | 'upgrade' | 'nobody';
export type Effects = { readonly [role in Role]?: Broken };

/** An edit of the contract, and what has to be said of it. */
export interface Case {
  readonly code: ChangeCode;
  readonly after: Mutation;
  readonly before?: Mutation;
  readonly effects: Effects;
  /** Other codes that the same edit has to bring with it. */
  readonly also?: readonly ChangeCode[];
  readonly subject?: string;
}

/** One schema is sent, answered and notified: each row shows all directions at once. */
export const everywhere: (sent: Broken, received: Broken) => Effects = (
  sent: Broken,
  received: Broken,
): Effects => ({
  request: sent,
  response: received,
  notification: received,
});

/** Edits the call that the contract has. */
export const put = (change: (operation: Draft) => void): Mutation => ({
  openapi: (d) => change(d.paths['/things/{id}'].put),
});
