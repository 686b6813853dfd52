import type { ClientEvent } from './events.ts';
import type { NumberMode } from './json.ts';
import type { TokenStore } from './token-store.ts';

/** The options of a client. Each but the address has a default. */
export interface ConnectionOptions {
  /** The address that every path is appended to, such as `https://service.example/api`. */
  readonly baseUrl: string;
  /** Default: the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Headers that every call carries in addition, such as those of tracing. A function is called for every attempt, and
   * once more where the attempt has waited for an access token.
   */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders);
  /**
   * Milliseconds that a call may take in all: token requests, waits and every attempt. At most 2,147,483,647. Default:
   * 60,000.
   */
  readonly timeout?: number;
  /** Milliseconds that a single attempt may take, answer included. Default: 30,000. */
  readonly attemptTimeout?: number;
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
  /**
   * What becomes of a number of an answer that no double holds exactly, such as 12345678901234567890: the answer is
   * refused, or the number is given as text. A number larger than every double is always refused. Default: refuse.
   */
  readonly numbers?: NumberMode;
  /** How often a call is attempted, where repeating it is safe. */
  readonly retry?: RetryOptions;
  /** Shares access tokens among processes; without one they are kept in memory. */
  readonly tokenStore?: TokenStore;
  /** Called for everything that happens, for logs and traces. Events hold no secret. What it throws is ignored. */
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
  /**
   * Attempts in all, the first included; 1 turns retries off. Repeated token requests count. The one repetition after
   * a 401 does not. Default: 3.
   */
  readonly attempts?: number;
  /** Milliseconds that the first wait lasts at most; every further one twice as long. Default: 250. */
  readonly delay?: number;
  /** Milliseconds that no wait exceeds; a call whose `Retry-After` asks for more ends at once. Default: 20,000. */
  readonly maxDelay?: number;
}

/** The options of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeout?: number;
  /** Instead of the client's. */
  readonly attemptTimeout?: number;
  /** Instead of the client's, member by member. */
  readonly retry?: RetryOptions;
  /**
   * Whether this call may be sent again when it is unknown what became of it. Default: true for idempotent methods and
   * where the contract states `x-repeatable`, otherwise false.
   */
  readonly repeatable?: boolean;
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
