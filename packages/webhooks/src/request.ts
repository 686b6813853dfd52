import type { MaybePromise } from './maybe-promise.ts';

/** Every value of the header with this lower-case name, in order; an empty list where there is none. */
export type HeaderLookup = (name: string) => readonly string[];

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
   * anything at all once the signal is aborted.
   */
  readonly read: (limit: number, signal: AbortSignal) => MaybePromise<Uint8Array>;
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
