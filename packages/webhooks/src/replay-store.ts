import type { MaybePromise } from './maybe-promise.ts';
import { WebhookError } from './webhook-error.ts';

/**
 * Remembers what was handled. An event counts as handled only once it is confirmed; until then its key is claimed,
 * so that of two equal deliveries at a time one is told to come again. Keys are digests. In Redis: `SET NX PX`,
 * `SET PX`, `DEL`.
 */
export interface ReplayStore {
  /** Takes a key for `lease` milliseconds, unless it is `seen` or somebody else has it: `busy`. */
  readonly claim: (key: string, lease: number) => MaybePromise<'claimed' | 'seen' | 'busy'>;
  /** What the key stands for was handled. */
  readonly confirm: (key: string) => MaybePromise<unknown>;
  /** What the key stands for was not handled; it may be claimed again. */
  readonly release: (key: string) => MaybePromise<unknown>;
}

export interface MemoryReplayStoreOptions {
  /** How many keys are remembered; the oldest are forgotten first. Default: 10,000. */
  readonly size?: number;
  /** Milliseconds for which a key is remembered. Default: a day. */
  readonly timeToLive?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** A replay store for one process. Throws a WebhookError for a bound that is none. */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { size = 10_000, timeToLive = 86_400_000, clock = Date.now } = options;
  if (!(Number.isInteger(size) && size > 0 && timeToLive > 0))
    throw new WebhookError('invalid-option', 'A replay store needs a size and a time to live.');
  // Where a key stands among the newest, or, below 0, until when it is claimed. One map, because each costs.
  const known = new Map<string, number>();
  // In turn: a Map finds its oldest key only by passing over all that it has forgotten.
  const newest: string[] = [];
  const until: number[] = [];
  let next = 0;
  return {
    claim(key, lease) {
      const now = clock();
      const place = known.get(key);
      if (place !== undefined) {
        if (place < 0 && -place > now) return 'busy';
        if (place >= 0 && (until[place] ?? 0) > now) return 'seen';
      }
      known.set(key, -(now + lease));
      return 'claimed';
    },
    confirm(key) {
      const oldest = newest[next];
      if (oldest !== undefined && known.get(oldest) === next) known.delete(oldest);
      newest[next] = key;
      until[next] = clock() + timeToLive;
      known.set(key, next);
      next = (next + 1) % size;
    },
    release(key) {
      if ((known.get(key) ?? 0) < 0) known.delete(key);
    },
  };
}
