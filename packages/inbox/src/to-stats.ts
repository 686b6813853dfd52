import type { EventState } from './event-state.ts';
import type { InboxStats } from './store.ts';

/** What a store counts. `failed in work`: events that are in work, and failed before. */
export type CountName = EventState | 'duplicates' | 'failed in work';

/**
 * Creates the statistics of a store.
 * @param countOf returns a count
 * @param oldestAgeMs the age of the oldest unfinished event, if there is one; negative where clocks differ
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
  return {
    byState,
    depth: ready + waiting + retry + working,
    failed: retry + dead + countOf('failed in work'),
    oldestAgeMs: oldestAgeMs === undefined ? undefined : Math.max(0, oldestAgeMs),
    duplicates: countOf('duplicates'),
  };
}
