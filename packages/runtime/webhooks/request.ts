import type { MaybePromise } from './maybe-promise.ts';

/** Returns every value of the header with this lower-case name, in order, or an empty array. */
export type HeaderLookup = (name: string) => readonly string[];

/**
 * Whether the receiver still waits for a body. An `AbortSignal` would do the same, but cost more than any other step of
 * a request.
 */
export interface Waiting {
  /** Whether the receiver no longer waits. */
  readonly isOver: boolean;
  /** Registers the only listener, which is called as soon as the receiver no longer waits. */
  readonly whenOver: (listener: () => void) => void;
}

/** A request as an adapter passes it to the receiver, with nothing validated, decoded or read. */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string;
  /** Path and query exactly as received. */
  readonly target: string;
  readonly headers: HeaderLookup;
  /**
   * Reads the raw bytes of the whole body. Returns them synchronously where possible, which is faster. Fails with a
   * `WebhookError`: `too-large` as soon as it has more than `maxBytes`, or `body-consumed` where other code has read
   * it before. Any other error counts as an unreadable body, and after the time limit all errors are ignored.
   */
  readonly read: (maxBytes: number, waiting: Waiting) => MaybePromise<Uint8Array>;
  /**
   * What the host knows of the connection: the socket on Node, `requestContext` of an event of AWS Lambda, `cf` of a
   * request to a Worker. Only authentication reads it.
   */
  readonly connection?: unknown;
  /** Keeps the platform running for work that continues after the response. The work never rejects. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
}

/** A request with its raw body, for authentication. */
export interface DeliveredRequest {
  readonly method: string;
  /** Path and query exactly as received. Named `url` as in signature schemes. */
  readonly url: string;
  readonly headers: HeaderLookup;
  readonly body: Uint8Array;
  /** The `connection` of `IncomingRequest`; `undefined` where the adapter has none. */
  readonly connection?: unknown;
}
