/** The result of a claim: this delivery holds the key, the event was handled before, or another delivery holds the key. */
export type ReplayClaim = 'claimed' | 'seen' | 'busy';

/**
 * Remembers which events were handled, for all processes that share the store. It has the members of `ReplayStore` of
 * the entry `webhooks`, which `inbox` does not import.
 *
 * `owner` identifies the delivery that makes a call. If the owner of a claim repeats the claim, the lease starts again.
 */
export interface ReplayStore {
  /**
   * Claims a key for `leaseMs` milliseconds. Returns the state of `formerKey` instead if that is confirmed or held by
   * another owner: it is what an earlier version of the receiver stored for the event, and is never claimed.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly claim: (
    key: string,
    leaseMs: number,
    owner: string,
    formerKey?: string,
  ) => Promise<ReplayClaim>;
  /**
   * Records that the event was handled, unless another owner holds the key.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly confirm: (key: string, owner: string) => Promise<void>;
  /**
   * Removes the claim of this owner, if it still holds the key.
   * @throws InboxError `store-failed` if the store fails or does not answer in time
   */
  readonly release: (key: string, owner: string) => Promise<void>;
}
