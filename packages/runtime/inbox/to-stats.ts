import type { EventState } from './event-state.ts';
import type { InboxStats } from './store.ts';

/**
 * What a store counts. `failed in work`: events that are in work, and failed before. `blocked`: events that wait for a
 * later attempt, and those that wait behind one or behind a dead letter.
 */
export type CountName =
  | EventState
  | 'duplicates'
  | 'interruptions'
  | 'failed in work'
  | 'blocked'
  | 'blocked keys';

/**
 * Creates the statistics of a store.
 * @param countOf returns a count
 * @param oldestAgeMs the time for which the oldest event that can be handled waits; negative where clocks differ
 */
export function toStats(
  countOf: (name: CountName) => number,
  oldestAgeMs: number | undefined,
): InboxStats {
  const byState = {
    ready: countOf('ready'),
    waiting: countOf('waiting'),
    retry: countOf('retry'),
    working: countOf('working'),
    done: countOf('done'),
    dead: countOf('dead'),
    discarded: countOf('discarded'),
  };
  const { ready, waiting, retry, working, dead } = byState;
  const depth = ready + waiting + retry + working;
  return {
    byState,
    depth,
    backlog: depth - countOf('blocked'),
    blockedKeys: countOf('blocked keys'),
    failed: retry + dead + countOf('failed in work'),
    oldestAgeMs: oldestAgeMs === undefined ? undefined : Math.max(0, oldestAgeMs),
    duplicates: countOf('duplicates'),
    interruptions: countOf('interruptions'),
  };
}
