import type { MaybePromise } from './maybe-promise.ts';
import { invalid } from './webhook-error.ts';

/**
 * Remembers which events were handled. An event counts as handled once it is confirmed. Until then a delivery holds
 * a claim on its key, so that of two equal deliveries at the same time one is told to come again. Keys are digests.
 *
 * `owner` identifies the delivery that makes a call. A delivery can outlive its lease, and another can have claimed
 * the key since: `confirm` and `release` must not touch the claim of another owner.
 */
export interface ReplayStore {
  /**
   * Claims a key for `lease` milliseconds: `claimed`. Not if it was confirmed before (`seen`), or if another owner
   * holds it (`busy`). With any other answer the delivery is refused as `store-failed`.
   */
  readonly claim: (
    key: string,
    lease: number,
    owner: string,
  ) => MaybePromise<'claimed' | 'seen' | 'busy'>;
  /** Records that the event was handled, unless another owner holds the key. */
  readonly confirm: (key: string, owner: string) => MaybePromise<unknown>;
  /** Removes the claim of this owner, if it still holds the key: the event was not handled. */
  readonly release: (key: string, owner: string) => MaybePromise<unknown>;
}

export interface MemoryReplayStoreOptions {
  /**
   * How many of the newest confirmed keys are remembered at least; there can be twice as many, and the oldest are
   * forgotten first. Default: 10,000.
   */
  readonly size?: number;
  /** Milliseconds for which a confirmed key is remembered. Default: a day. */
  readonly timeToLive?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Creates a replay store for one process. Throws a WebhookError for an option that is out of range. */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { size = 10_000, timeToLive = 86_400_000, clock = Date.now } = options;
  if (!(Number.isInteger(size) && size > 0 && typeof timeToLive === 'number' && timeToLive > 0))
    throw invalid('`size` or `timeToLive` is not a number above 0');
  /** In the order in which they were made. */
  const claims = new Map<string, { readonly owner: string; readonly until: number }>();
  // Until when confirmed keys are remembered, in two generations: one Map finds its oldest key only by passing over
  // all that it has forgotten.
  let seen = new Map<string, number>();
  let seenBefore = seen;
  return {
    claim(key, lease, owner) {
      const now = clock();
      for (const [claimed, claim] of claims) {
        if (claim.until > now) break;
        claims.delete(claimed);
      }
      if ((seen.get(key) ?? seenBefore.get(key) ?? 0) > now) return 'seen';
      // A longer lease in front of it can have kept an expired claim.
      if ((claims.get(key)?.until ?? 0) > now) return 'busy';
      claims.set(key, { owner, until: now + lease });
      return 'claimed';
    },
    confirm(key, owner) {
      const now = clock();
      const claim = claims.get(key);
      if (claim !== undefined && claim.owner !== owner && claim.until > now) return;
      claims.delete(key);
      if (seen.size >= size) {
        seenBefore = seen;
        seen = new Map();
      }
      seen.set(key, now + timeToLive);
    },
    release(key, owner) {
      if (claims.get(key)?.owner === owner) claims.delete(key);
    },
  };
}
