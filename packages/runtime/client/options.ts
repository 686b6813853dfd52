import type { ClientEvent } from './events.ts';
import type { NumberMode } from '../base/number-mode.ts';
import type { TokenStore } from './token-store.ts';

/** The options of a client. All have a default, except `baseUrl` where the service states no address. */
export interface ConnectionOptions {
  /**
   * The address that paths are appended to, such as `https://service.example/api`. It has no query, fragment or
   * credentials. Default: the address of the service's server. Operations that have their own server do not use it: if
   * it is given, their calls need an address in `baseUrls`.
   */
  readonly baseUrl?: string;
  /** The addresses of servers of single operations, by the names of the service. */
  readonly baseUrls?: Readonly<Record<string, string | undefined>>;
  /**
   * The values of variables in the URLs of servers. If one changes the address of the service, calls of operations with
   * a server without this variable need an address in `baseUrls`. Default: the defaults of the contract.
   */
  readonly serverVariables?: Readonly<Record<string, string | undefined>>;
  /**
   * Sends requests. Where it adds credentials, set `tokenStoreKey` beside `tokenStore`. Default: the platform's
   * `fetch` at the time of the call.
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * States that `fetch` sends a request at most once, and that its rejections have the causes of Node's `fetch`, as
   * those of `undici` do. A call whose connection was not opened is then known as unsent, and repeated like one of the
   * platform's `fetch`. Default: false, because a `fetch` that repeats requests itself may have sent one before.
   */
  readonly fetchSendsOnce?: boolean;
  /**
   * Additional headers of every call, such as those for tracing. A function is called for every attempt, and again
   * after an attempt has waited for credentials. Default: none.
   */
  readonly headers?: ExtraHeaders | (() => ExtraHeaders);
  /**
   * Maximum milliseconds for a whole call: token requests, waits and all attempts. At most 2,147,483,647. Default:
   * 60,000.
   */
  readonly timeoutMs?: number;
  /** Maximum milliseconds for a single attempt, including its response. At most 2,147,483,647. Default: 30,000. */
  readonly attemptTimeoutMs?: number;
  /**
   * Maximum milliseconds without a byte while a stream is read, which `timeoutMs` does not cover. At most 2,147,483,647.
   * Default: 300,000.
   */
  readonly idleTimeoutMs?: number;
  /**
   * Maximum size of a response body in bytes, after decompression. A larger one fails with `response-too-large`. For a
   * stream, it limits a single item: a line, or the data of an event. A stream of bytes has no limit. Default:
   * 67,108,864 (64 MiB).
   */
  readonly maxResponseBytes?: number;
  /**
   * What happens to a response that violates its schema: `throw` an `invalid-response`, `report` it to `onEvent` and
   * return it, or `ignore` the violation. Only a client with validators detects violations. Default: `throw`; in a
   * client that is generated from a contract without `x-countersign`, `report`, because such a contract can lag behind
   * its service.
   */
  readonly invalidResponse?: 'throw' | 'report' | 'ignore';
  /**
   * What happens to a number of a response that no double represents exactly, such as 12345678901234567890: `refuse`
   * the response, or return the number as `text`. With `text`, a value whose type is `number` can be a string at run
   * time: compare it with `typeof` before you calculate. A number too large for a double is always refused. Default:
   * `refuse`.
   */
  readonly numbers?: NumberMode;
  /** How often and when a call is repeated, where repeating it is safe. */
  readonly retry?: RetryOptions;
  /** Shares access tokens among processes. Default: each client keeps them in memory. */
  readonly tokenStore?: TokenStore;
  /**
   * Names the account in the token store. It is required to share a token whose credentials the client cannot know: those
   * that a function returns, and those of the connection itself. Clients with other names or other known credentials
   * never share a token. Default: none.
   */
  readonly tokenStoreKey?: string;
  /**
   * Called for every event of the client, for logs and traces. Events contain no secret. Without it, a failure that no
   * call throws is reported as a process warning, once for each cause, with the class, the code and the first frame of
   * the error. Its own failure is reported in the same way, and does not fail the call.
   */
  readonly onEvent?: (event: ClientEvent) => unknown;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Returns a number from 0 up to but not including 1, which randomizes waits. Default: `Math.random`. */
  readonly random?: () => number;
  /** Returns a UUID. Default: `crypto.randomUUID`. */
  readonly uuid?: () => string;
  /** Waits for the given milliseconds, or until the signal is aborted. Default: a timer. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Names and values of headers. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** How often and when a call is repeated. */
export interface RetryOptions {
  /**
   * Maximum number of attempts, including the first; 1 turns retries off. Repeated token requests count. The one
   * repetition after a 401 does not. Default: 3.
   */
  readonly attempts?: number;
  /** Maximum milliseconds of the first wait. Default: 250. */
  readonly firstDelayMs?: number;
  /** The factor between the maximum of a wait and that of the next one, 1 or more. Default: 2. */
  readonly factor?: number;
  /** Maximum milliseconds of any wait. A call is not repeated where `Retry-After` demands more. Default: 20,000. */
  readonly maxDelayMs?: number;
  /** The part of a wait that is random, from 0 to 1: a wait is shorter by up to this part. Default: 1. */
  readonly jitter?: number;
}

/** The options of a single call. */
export interface CallOptions<Credentials extends object = object> {
  /**
   * Makes the call for another account. These credentials replace all credentials of the client, and have access tokens
   * of their own. The client keeps the tokens of the 1,000 accounts that were used last.
   */
  readonly credentials?: Credentials;
  /** The `tokenStoreKey` of the account in `credentials`. The client's own key does not apply to other accounts. */
  readonly tokenStoreKey?: string;
  /** Aborts the call, which then rejects with the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /** Overrides the client's `attemptTimeoutMs`. */
  readonly attemptTimeoutMs?: number;
  /** Overrides the client's `retry`, member by member. */
  readonly retry?: RetryOptions;
  /**
   * Whether this call may be repeated when it is unknown whether the service has processed it. Default: true for
   * idempotent methods and where the contract states `x-repeatable`, whose condition can be that all attempts carry the
   * same value of a parameter; otherwise false.
   */
  readonly repeatable?: boolean;
  /** Overrides the base address of the client and of the operation, but not that of the token request. */
  readonly baseUrl?: string;
  /**
   * Names of path parameters whose `/` and other reserved characters are sent as they are, such as in `docs/guide.md`. A
   * contract allows it with `allowReserved`. Empty segments and dot segments are refused. In other path parameters, `/`
   * is sent as `%2F`. Default: none.
   */
  readonly allowReserved?: readonly string[];
  /** Overrides the client's `idleTimeoutMs`. */
  readonly idleTimeoutMs?: number;
  /** Overrides the client's `maxResponseBytes`. */
  readonly maxResponseBytes?: number;
  /**
   * Returns a binary body as a `ReadableStream`, which `timeoutMs` does not cover. Read it to its end or cancel it. Other
   * bodies are not affected.
   */
  readonly stream?: true;
  /** Additional headers of this call. They override headers of the client with the same name, in whatever case. */
  readonly headers?: ExtraHeaders;
}
