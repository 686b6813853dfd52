import type { Claim } from '../store.ts';
import type { PostgresSettings } from './options.ts';

/** The leases that this process knows to hold, so that a handler begins without a question to the server. */
export class HeldLeases {
  /** The time of `performance.now()` until which the lease of a claim holds at least. */
  readonly #heldUntil = new WeakMap<Claim, number>();
  readonly #hasOwnClock: boolean;

  constructor({ hasOwnClock }: PostgresSettings) {
    this.#hasOwnClock = hasOwnClock;
  }

  /** Keeps the leases of claims that a call made or renewed, which began at a time of `performance.now()`. */
  keep(claims: readonly Claim[], start: number, leaseMs: number): void {
    // Such a clock does not run with `performance.now()`.
    if (this.#hasOwnClock) return;
    for (const claim of claims) this.#heldUntil.set(claim, start + leaseMs);
  }

  forget(claims: readonly Claim[]): void {
    for (const claim of claims) this.#heldUntil.delete(claim);
  }

  /** Returns whether the lease of a claim has not ended. False if that is not known. */
  isHeld(claim: Claim): boolean {
    return performance.now() < (this.#heldUntil.get(claim) ?? 0);
  }
}
