/** One event of a delivery, as an inbox stores it. */
export interface ReceivedEvent {
  /** The name of its kind, or of a union of kinds. */
  readonly kind?: string;
  /**
   * The name of the receiver, and the order key of the event. Events with the same one are handled in the order in which
   * their deliveries were stored.
   */
  readonly orderKey?: string;
  /** The name of the receiver, and a digest of what makes two deliveries the same event. */
  readonly identity?: string;
  /**
   * The order key and the identity that receivers without names stored for the event. An inbox that they wrote to
   * recognizes them: an event of such an identity is a duplicate, and one of such a key waits for the events that are still
   * in its queue.
   */
  readonly formerOrderKey?: string;
  readonly formerIdentity?: string;
}

/** An authentic delivery, as an inbox stores it. */
export interface InboxDelivery {
  readonly method: string;
  /** Path and query; of the query, only what identification and keys read. */
  readonly target: string;
  /** The headers that identification and keys read, and the name of the receiver as `:receiver`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The receiver's result: `valid`, or the reason why the delivery is not. A worker judges the delivery again. */
  readonly verdict: string;
  /** The events; one for a delivery that is not valid. */
  readonly events: readonly ReceivedEvent[];
}

/** Stores deliveries. `createInbox` of `@countersign/runtime/inbox` creates one. */
export interface DeliveryInbox {
  /** Stores a delivery with all its events. Resolves after that is durable, and rejects otherwise. */
  readonly receive: (
    delivery: InboxDelivery,
  ) => Promise<{ readonly status: 'stored' | 'duplicate' }>;
}

/** What is stored of a request beside method, path and body. */
export interface StoredParts {
  /** Names of headers. */
  readonly headers?: readonly string[];
  /** Names of query parameters. */
  readonly query?: readonly string[];
}

/** The keys of events that the application states, in place of those of the contract. */
export interface EventKeys<E> {
  /** Returns the order key of an event; `undefined` for an event without order. */
  readonly orderBy?: (event: E) => string | undefined;
  /** Returns what makes two deliveries the same event; `undefined` for an event that has no duplicates. */
  readonly identifyBy?: (event: E) => string | undefined;
}

/** What a delivery contains that an inbox stored as one event without knowing it. */
export interface DeliveryContent {
  /** The number of values in the delivery. */
  readonly count: number;
  /** Its events, each with its index among the values. */
  readonly events: readonly (ReceivedEvent & { readonly position: number })[];
}

/** The result of a handler that identified a delivery: the inbox stores its events in place of the one event. */
export interface Replacement {
  readonly replaceBy: DeliveryContent;
}
