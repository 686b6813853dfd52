import type { MaybePromise } from './maybe-promise.ts';

/** Every value of the header with this lower-case name, in order; an empty list where there is none. */
export type HeaderLookup = (name: string) => readonly string[];

/** Whoever waits for a body. An `AbortSignal` would say the same, and be the dearest thing on the way of a request. */
export interface Waiting {
  /** Whether nobody waits any more. */
  readonly isOver: boolean;
  /** Calls the listener as soon as nobody waits any more; there is one. */
  readonly whenOver: (listener: () => void) => void;
}

/** A request as an adapter hands it over: nothing of it was decided, decoded or read. */
export interface IncomingRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  readonly headers: HeaderLookup;
  /**
   * The whole body as it travelled; at once where it is there, which is faster. Fails with a `WebhookError`:
   * `too-large` as soon as it has more than `limit` bytes, `body-consumed` where something read it before; and with
   * anything at all once nobody waits for it any more.
   */
  readonly read: (limit: number, waiting: Waiting) => MaybePromise<Uint8Array>;
  /** Is given work that goes on after the answer, where the platform would end it then. It never rejects. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** A request whose raw body was read: what is authenticated. */
export interface DeliveredRequest {
  readonly method: string;
  /** Path and query exactly as received; has the name that signature schemes give it. */
  readonly url: string;
  readonly headers: HeaderLookup;
  readonly body: Uint8Array;
}
