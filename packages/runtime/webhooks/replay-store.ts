import type { MaybePromise } from './maybe-promise.ts';
import { invalid } from './webhook-error.ts';

/**
 * Remembers which events were handled. An event counts as handled once it is confirmed. Until then, a delivery holds a
 * claim on the event's key. Of two equal deliveries at the same time, one is handled and the other is answered with
 * `in-progress`. Keys are the name of the receiver and a digest.
 *
 * `owner` identifies the delivery that makes a call. A delivery can outlive its lease, and another delivery can then
 * claim the key. Therefore `confirm` and `release` must not change the claim of another owner.
 */
export interface ReplayStore {
  /**
   * Claims a key for `leaseMs` milliseconds and returns `claimed`. Returns `seen` where the key was confirmed before, and
   * `busy` where another owner holds it. With any other result, the delivery is refused as `store-failed`.
   *
   * `formerKey` is what receivers without names stored for the event. A store that they wrote to returns `seen` where this
   * key was confirmed, and `busy` where another owner holds it. Nothing claims it any more.
   */
  readonly claim: (
    key: string,
    leaseMs: number,
    owner: string,
    formerKey?: string,
  ) => MaybePromise<'claimed' | 'seen' | 'busy'>;
  /** Records that the event was handled, unless another owner holds the key. */
  readonly confirm: (key: string, owner: string) => MaybePromise<unknown>;
  /** Removes the claim of this owner, if it still holds the key: the event was not handled. */
  readonly release: (key: string, owner: string) => MaybePromise<unknown>;
}

/** The options of `createMemoryReplayStore`. */
export interface MemoryReplayStoreOptions {
  /**
   * The minimum number of newest confirmed keys to remember. There can be up to twice as many; the oldest are dropped
   * first. Default: 10,000.
   */
  readonly minKeys?: number;
  /** Milliseconds for which a confirmed key is remembered. Default: 86,400,000 (one day). */
  readonly timeToLiveMs?: number;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Creates a replay store in memory, for a single process.
 * @throws WebhookError `invalid-option` for a number or time that is out of range
 */
export function createMemoryReplayStore(options: MemoryReplayStoreOptions = {}): ReplayStore {
  const { minKeys = 10_000, timeToLiveMs = 86_400_000, clock = () => Date.now() } = options;
  if (
    !(
      Number.isInteger(minKeys) &&
      minKeys > 0 &&
      typeof timeToLiveMs === 'number' &&
      timeToLiveMs > 0
    )
  )
    throw invalid('`minKeys` and `timeToLiveMs` must be numbers above 0');
  /** The claims, in the order of their creation. */
  const claims = new Map<string, { readonly owner: string; readonly until: number }>();
  // The expiry times of confirmed keys, in two generations: finding the oldest key of a single Map means passing over
  // all deleted entries.
  let seen = new Map<string, number>();
  let seenBefore = seen;
  return {
    claim(key, leaseMs, owner) {
      const now = clock();
      for (const [claimed, claim] of claims) {
        if (claim.until > now) break;
        claims.delete(claimed);
      }
      if ((seen.get(key) ?? seenBefore.get(key) ?? 0) > now) return 'seen';
      // An expired claim can still exist behind one with a longer lease.
      if ((claims.get(key)?.until ?? 0) > now) return 'busy';
      claims.set(key, { owner, until: now + leaseMs });
      return 'claimed';
    },
    confirm(key, owner) {
      const now = clock();
      const claim = claims.get(key);
      if (claim !== undefined && claim.owner !== owner && claim.until > now) return;
      claims.delete(key);
      if (seen.size >= minKeys) {
        seenBefore = seen;
        seen = new Map();
      }
      seen.set(key, now + timeToLiveMs);
    },
    release(key, owner) {
      if (claims.get(key)?.owner === owner) claims.delete(key);
    },
  };
}
