/** One event of a delivery, as the receiver identified it. */
export interface ReceivedEvent {
  /** The name of the event's type. It informs operators; a worker identifies the delivery again. */
  readonly kind?: string;
  /** Events with the same key are handled in the order in which their receipts were committed. */
  readonly orderKey?: string;
  /** What makes two deliveries the same event, such as a digest. Only the first event of an identity is stored. */
  readonly identity?: string;
  /**
   * The order key that an earlier version of the receiver gave to the event. While an event of this key is in its queue,
   * the new event joins that queue, so that their order stays.
   */
  readonly formerOrderKey?: string;
  /** The identity that an earlier version of the receiver gave to the event. Where it is stored, the event is a duplicate. */
  readonly formerIdentity?: string;
}

/** A delivery as it arrived, after its authentication. */
export interface InboxDelivery {
  readonly method: string;
  readonly target: string;
  /** The headers that the handlers need. Headers with credentials are removed before they are stored. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The receiver's result, for example `valid`. It informs operators; a worker judges the delivery again. */
  readonly verdict?: string;
  /** The events of the delivery. A delivery that could not be parsed has one, without key and identity. */
  readonly events: readonly ReceivedEvent[];
}

/** A delivery with the identifier under which it is stored. */
export interface Receipt extends InboxDelivery {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** What a delivery contains that was stored as one event, because its receiver could not identify it. */
export interface DeliveryContent {
  /** The number of values in the delivery. */
  readonly count: number;
  /** Its events, at least one. Each has its index among the values, from which its identifier is made. */
  readonly events: readonly (ReceivedEvent & { readonly position: number })[];
}

/**
 * The result of a handler that identified a delivery and handled nothing. In one transaction, the store replaces the event
 * by the events of the delivery: with their identities, so that repetitions are left out, and in the queues of their
 * keys. They are claimed and handled afterwards.
 */
export interface Replacement {
  readonly replaceBy: DeliveryContent;
}

/** What a store did with one event of a receipt. */
export interface StoreResult {
  readonly status: 'stored' | 'duplicate';
  /** The identifier of the event; for a duplicate, the identifier of the event that was stored first. */
  readonly id: string;
}

/** What was done with a delivery. Both are answered with 2xx. */
export interface Received {
  /** `duplicate` if every event of the delivery was stored before. */
  readonly status: 'stored' | 'duplicate';
  readonly receiptId: string;
  /** In the order of the delivery's events. */
  readonly events: readonly StoreResult[];
}
