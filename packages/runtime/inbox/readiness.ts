import type { InboxStats } from './store.ts';
import type { Readiness } from './worker-options.ts';

/** The readiness while the store does not answer. */
export const unavailable: Readiness = {
  ready: false,
  backlog: undefined,
  oldestAgeMs: undefined,
  blockedKeys: undefined,
  deadLetters: undefined,
};

/** Returns the readiness of a process with the figures of its store. */
export function toReadiness(ready: boolean, stats: InboxStats): Readiness {
  const { backlog, oldestAgeMs, blockedKeys, byState } = stats;
  return { ready, backlog, oldestAgeMs, blockedKeys, deadLetters: byState.dead };
}
