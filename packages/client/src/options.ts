import type { ClientEvent } from './events.ts';
import type { TokenStore } from './token-store.ts';

/** What a client may be told besides the contract; each has a default, but for the address. */
export interface ConnectionOptions {
  /** The address that every path is appended to, such as `https://service.example/api`. */
  readonly baseUrl: string;
  /** Default: the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Headers that every call carries in addition, such as those of tracing; a function is asked for every attempt. */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders);
  /** Milliseconds that an attempt may take, answer included. Default: 30,000. */
  readonly timeout?: number;
  /**
   * Milliseconds that may pass without a byte while a stream is read, which the timeout does not cover. Default: 300,000.
   */
  readonly idleTimeout?: number;
  /**
   * Bytes that an answer may have, counted after decompression; more is a `response-too-large`. For a stream, it is the
   * limit of a single item; a stream of bytes has none. Default: 67,108,864 (64 MiB).
   */
  readonly maxResponseBytes?: number;
  /**
   * What happens to an answer that violates its schema: `throw` an `invalid-response`, `report` it to `onEvent` and answer
   * with it, or `ignore` the violation. Only a client with validators finds one. Default: `throw`.
   */
  readonly invalidResponse?: 'throw' | 'report' | 'ignore';
  /** How often a call is tried, where the contract makes repeating it safe. */
  readonly retry?: RetryOptions;
  /** Shares access tokens among processes; without one they are kept in memory. */
  readonly tokenStore?: TokenStore;
  /** Told of everything that happens, for logs and traces; holds no secret. What it throws is ignored. */
  readonly onEvent?: (event: ClientEvent) => void;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** A number from 0 up to 1, for the spread of retries. Default: `Math.random`. */
  readonly random?: () => number;
  /** Default: `crypto.randomUUID`. */
  readonly uuid?: () => string;
  /** Waits for so many milliseconds. Default: a timer. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Names and values of headers. */
export type ExtraHeaders = Readonly<Record<string, string>>;

export interface RetryOptions {
  /** Attempts in all, the first included; 1 turns retries off. Default: 3. */
  readonly attempts?: number;
  /** Milliseconds that the first wait lasts at most; every further one twice as long. Default: 250. */
  readonly delay?: number;
  /** Milliseconds that no wait exceeds; a call whose `Retry-After` asks for more ends at once. Default: 20,000. */
  readonly maxDelay?: number;
}

/** What a single call may be told. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeout?: number;
  /** Instead of the client's. */
  readonly retry?: RetryOptions;
  /** Instead of the client's, or of the operation's own. */
  readonly baseUrl?: string;
  /**
   * Names of path parameters whose text may have `/` and other reserved characters, such as `docs/guide.md`; a contract
   * allows it by `allowReserved`. Empty segments and dot segments are refused.
   */
  readonly allowReserved?: readonly string[];
  /** Instead of the client's. */
  readonly idleTimeout?: number;
  /** Instead of the client's. */
  readonly maxResponseBytes?: number;
  /**
   * Makes a body of bytes a `ReadableStream`, which the timeout does not cover. Cancel it, or read it to its end. Other
   * bodies stay as they are.
   */
  readonly stream?: true;
  /** In addition to the client's. */
  readonly headers?: ExtraHeaders;
}
