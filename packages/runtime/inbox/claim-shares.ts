import { retryShare, type RetryShare } from './retry-share.ts';
import type { Claim, ClaimRequest } from './store.ts';

/** The part of a request that says which events are claimed. */
export type ClaimShare = Pick<ClaimRequest, 'minRetries' | 'maxRetries' | 'kinds'>;

/**
 * Shares the handlers of a worker between first and further attempts. The handlers that a kind can have at most are
 * shared in the same way, so that failed events of the kind do not delay its others.
 */
export class ClaimShares {
  readonly #all: Handlers;
  readonly #ofKinds: readonly (readonly [kind: string, handlers: Handlers])[];

  constructor(concurrency: number, concurrencyOfKinds: ReadonlyMap<string, number>) {
    this.#all = new Handlers(concurrency);
    this.#ofKinds = Array.from(concurrencyOfKinds, ([kind, ofKind]) => [
      kind,
      new Handlers(ofKind),
    ]);
  }

  /** Returns what can be claimed beside the claims in work. */
  next(inWork: Iterable<Claim>): ClaimShare {
    const claims = [...inWork];
    const share = this.#all.share(claims);
    if (this.#ofKinds.length === 0) return share;
    const kinds = this.#ofKinds.map(([kind, handlers]) => {
      const ofKind = claims.filter(({ event }) => event.kind === kind);
      return { kind, maxEvents: handlers.concurrency - ofKind.length, ...handlers.share(ofKind) };
    });
    return { ...share, kinds };
  }

  /** Takes note of what was claimed. */
  record(claims: readonly Claim[]): void {
    this.#all.record(claims);
    for (const [kind, handlers] of this.#ofKinds) {
      const ofKind = claims.filter(({ event }) => event.kind === kind);
      if (ofKind.length > 0) handlers.record(ofKind);
    }
  }
}

/** A number of handlers that first and further attempts share. */
class Handlers {
  readonly concurrency: number;
  #lastWasRetry = false;

  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  share(inWork: readonly Claim[]): RetryShare {
    return retryShare(this.concurrency, inWork.filter(isRetry).length, this.#lastWasRetry);
  }

  record(claims: readonly Claim[]): void {
    this.#lastWasRetry = claims.some(isRetry);
  }
}

/** Returns whether an event failed before. */
function isRetry({ event }: Claim): boolean {
  return event.retryAt !== undefined;
}
