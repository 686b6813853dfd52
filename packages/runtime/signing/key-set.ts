import type { MaybePromise } from './hmac.ts';
import type { Jwk } from './key-pair-scheme.ts';

/** Public keys by their ids, such as those at an address. */
export interface KeySet {
  /**
   * Returns the public keys with an id, in the order of their set; an empty array where there is none. Returns a promise
   * where it has to fetch them, which rejects with `keys-unavailable`.
   */
  readonly find: (id: string) => MaybePromise<readonly Jwk[]>;
}
