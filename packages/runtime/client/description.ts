// The types of what generated code passes to a client, and of the options of users. Nothing of this module is loaded at run time.
import type { NumberMode } from '../base/index.ts';
import type { ClientError, ClientErrorCode } from './errors.ts';

/** Escapes a text for its location in a request. */
export type Encode = (text: string) => string;

/** Writes a parameter in one of OpenAPI's values of `style`. Returns an empty text where there is nothing to write. */
export type Style = (name: string, value: unknown, explode: boolean, encode: Encode) => string;

/** The input of a call. Its members have the names of the contract. */
export interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
  readonly body?: unknown;
  /** The media type of the body. Default: the first that the contract declares. */
  readonly mediaType?: string;
}

/** A decoded response that the contract declares. */
export interface Answer<
  Status extends number = number,
  DeclaredStatus extends string = string,
  MediaType extends string | undefined = string | undefined,
  Body = unknown,
  DeclaredHeaders extends object = object,
> {
  /** The HTTP status, a number. */
  readonly status: Status;
  /** The status in the contract whose declaration the response matches: `201`, a range such as `2XX`, or `default`. */
  readonly declaredStatus: DeclaredStatus;
  /** The media type that the contract declares for the body; `undefined` where there is no body. */
  readonly mediaType: MediaType;
  readonly headers: Headers;
  /**
   * The headers that the contract declares for this status, by their names there, decoded by their schemas. A header
   * that is missing or not as declared is left out; `headers` still has its text.
   */
  readonly declaredHeaders: DeclaredHeaders;
  readonly body: Body;
}

/**
 * The error of a call that the service answered with a failure, as the contract declares it. The guard of the operation,
 * such as `isGetOrderFailure`, returns whether an error is one.
 */
export type Failure<
  Status extends number = number,
  DeclaredStatus extends string = string,
  MediaType extends string | undefined = string | undefined,
  Body = unknown,
  DeclaredHeaders extends object = object,
> = ClientError &
  Answer<Status, DeclaredStatus, MediaType, Body, DeclaredHeaders> & {
    readonly code: 'failure-status';
  };

/** The numbers of a range of statuses, such as `4XX`, without those that the contract declares themselves. */
export type StatusIn<Range extends `${number}XX`, Declared extends number = never> = Exclude<
  Range extends `${infer Class extends number}XX` ? ToNumber<`${Class}${Digit}${Digit}`> : never,
  Declared
>;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

type ToNumber<Text extends string> = Text extends `${infer Value extends number}` ? Value : never;

/** The answer of a call with the given options: a binary body is a stream where they have `stream: true`. */
export type AnswerTo<Out, Options> = Options extends { readonly stream: true }
  ? Out extends Answer<infer Status, infer Declared, infer MediaType, infer Body, infer Headers>
    ? Body extends Uint8Array
      ? Answer<Status, Declared, MediaType, ReadableStream<Uint8Array>, Headers>
      : Out
    : Out
  : Out;

/** The description of a parameter. */
export interface ParameterDescription {
  readonly in: 'path' | 'query' | 'headers' | 'cookies';
  readonly name: string;
  readonly required?: true;
  /** Whether the contract allows only scalars, so that an object or array is an error. */
  readonly scalar?: true;
  readonly style: Style;
  readonly explode?: true;
  /** How a text is escaped. Default: the escaping of its location. */
  readonly encode?: Encode;
}

/**
 * Encodes a body as a `Response`, whose content type is the one to send. Throws a TypeError for a value that cannot be
 * written.
 */
export type BodyEncoder = (value: unknown, mediaType: string) => Response;

/**
 * Decodes a body. `numbers` says how to decode numbers that no double represents exactly. `contentType` is that of the
 * response, which can differ from the declared media type.
 */
export type BodyDecoder = (
  bytes: Uint8Array,
  numbers: NumberMode | 'round',
  contentType: string | null,
) => unknown;

/** Decodes a body while it arrives. The body of a failure is read to its end instead. */
export interface StreamDecoder {
  /**
   * Decodes the whole body, unless the call has `stream: true`. Without it, the body is always a stream; that of a
   * failure is bytes.
   */
  readonly decode?: BodyDecoder;
  readonly stream: (unread: UnreadBody, reading: StreamReading) => unknown;
}

/** A body that the caller reads as a stream. */
export interface UnreadBody {
  readonly body: ReadableStream<Uint8Array>;
  readonly decoder: StreamDecoder;
  /** Closes the connection. */
  readonly close: () => void;
}

/** How a stream is read. */
export interface StreamReading {
  /** The signal that the caller gave. */
  readonly signal: AbortSignal | undefined;
  readonly limits: Required<Pick<ConnectionOptions, 'idleTimeoutMs' | 'maxResponseBytes'>>;
  /** How to decode numbers that no double represents exactly. */
  readonly numbers: NumberMode;
  readonly status: number;
  readonly check: AnswerCheck | undefined;
  /** Creates the error for an item that violates its schema. */
  readonly violated: (cause: unknown, item: unknown) => ClientError;
  /** Reports a failure, and returns it with the known facts about the call. */
  readonly fail: (error: ClientError) => ClientError;
}

/** A body that has not been read, with the context of its reader. */
export interface StreamSource {
  readonly body: ReadableStream<Uint8Array>;
  /** The signal that the caller gave. */
  readonly signal: AbortSignal | undefined;
  /** Maximum milliseconds without a chunk. */
  readonly idleTimeoutMs: number;
  /** The maximum size of a single item, such as a line or the data of an event. */
  readonly maxItemBytes: number;
  /** Closes the connection. May be called more than once. */
  readonly close: () => void;
  /** How to decode numbers that no double represents exactly. */
  readonly numbers: NumberMode;
  /**
   * Validates `value` against the schema as `invalidResponse` says. `value` is the item with rounded numbers. Throws a
   * ClientError.
   */
  readonly check: (value: unknown, item: unknown) => void;
  /** Reports a failure, and returns it with the known facts about the call. */
  readonly fail: (error: ClientError) => ClientError;
}

/** Validates a body. Throws where it violates the contract. */
export type BodyCheck = (body: unknown) => void;

/** A violation of the contract by a value. It contains texts of the contract, and no data of the value. */
export interface Violation {
  /** JSON Pointer (RFC 6901) of the invalid value; empty for the whole value. */
  readonly pointer: string;
  /** The violated keyword of JSON Schema. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
}

/**
 * The validators of an input: those of parameters by their names, and of bodies by media type. What the contract does not
 * restrict has none.
 */
export interface InputChecks<Check> {
  readonly path?: Readonly<Record<string, Check>>;
  readonly query?: Readonly<Record<string, Check>>;
  readonly headers?: Readonly<Record<string, Check>>;
  readonly cookies?: Readonly<Record<string, Check>>;
  readonly body?: Readonly<Record<string, (value: unknown) => readonly Violation[]>>;
}

/** What happens to the violations of an input. */
interface CheckedInput {
  readonly invalidRequest: NonNullable<ConnectionOptions['invalidRequest']>;
  readonly report: ReportEvent;
}

/** Checks a body as the option `invalidResponse` says. Returns its violation if it cannot be used as declared. */
type AnswerCheck = (value: unknown, status: number) => unknown;

/** What happens to the violations of a call. */
export interface CheckedReading {
  readonly operation: Pick<OperationData, 'id'>;
  readonly invalidResponse: NonNullable<ConnectionOptions['invalidResponse']>;
  readonly report: ReportEvent;
}

/** Reports an event of a call, with the warning that takes its place if there is no `onEvent`. */
export type ReportEvent = (details: EventDetails, unheard?: UnheardEvent) => void;

/** The warning about an event that nobody listens to. */
export type UnheardEvent = Readonly<Record<'code' | 'message' | 'help', string>>;

/** A value for each declared status and media type. */
export type ByResponse<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** The description of an operation. */
export interface OperationData {
  /** The `operationId`, or method and path of a call that the contract does not declare. */
  readonly id: string;
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The server of the operation: its name in the servers of the service. Default: the server of the service. */
  readonly server?: string;
  readonly parameters?: readonly ParameterDescription[];
  /** Names of the service's `everyRequest` values that this operation sends. Default: all. */
  readonly everyRequest?: readonly string[];
  readonly body?: {
    readonly required?: true;
    readonly content: Readonly<Record<string, BodyEncoder>>;
  };
  /** Absent for a call that the contract does not declare. */
  readonly responses?: ByResponse<BodyDecoder | StreamDecoder>;
  /** Functions that decode the declared headers, by status. */
  readonly headers?: Readonly<Record<string, (headers: Headers) => object>>;
  /**
   * Returns the check of a body, by its declared status and media type. `withChecks` adds it with validators, so that
   * operations without any carry no code for it.
   */
  readonly checkOf?: (
    status: string,
    mediaType: string,
    reading: CheckedReading,
  ) => AnswerCheck | undefined;
  /**
   * Checks the input that the caller gives, before anything is sent. `withChecks` adds it. Throws a ClientError
   * `invalid-request`.
   */
  readonly checkInput?: (
    input: Input,
    options: Pick<CallOptions, 'headers'>,
    checked: CheckedInput,
  ) => void;
  /** Alternative lists of security scheme names. Default: the service's. */
  readonly security?: Alternatives;
  /** Whether the call may be repeated. Default: as its method is idempotent. */
  readonly repeatable?: boolean | KeptValue;
  /** How the list of the operation goes on. `withPages` of `client/pages` reads it. */
  readonly pages?: PagesDescription;
}

/** The location of a value in a response: a path of members in the body, or the name of a header. */
export type AnswerPlace = { readonly body: readonly string[] } | { readonly header: string };

/** How a list goes on: where a page has its items, and how the next page is requested. */
export interface PagesDescription {
  /** The path of the items in the body of a page. */
  readonly items: readonly string[];
  /** Whether a page without items can lack the list, or have `null` in its place. */
  readonly optional?: true;
  /** The path of the cursor in the input of the next call, such as `query`, `after`. Left out where a page has a link. */
  readonly into?: readonly string[];
  /** The cursor of the next page, or the link to it. A page without one is the last. */
  readonly next?: AnswerPlace;
  /** The path of the next page's cursor in the last item of a page. */
  readonly lastItem?: readonly string[];
  /** What is counted, where the cursor is a number: pages, or items. */
  readonly counts?: 'pages' | 'items';
  /** The number of the first page. Default: 1. */
  readonly first?: number;
  /** How many there are of what is counted. */
  readonly total?: AnswerPlace;
  /** Whether there is another page: `false` ends the list. */
  readonly more?: AnswerPlace;
}

/**
 * The condition that a call may be repeated only if all its attempts carry the same value of a parameter. `keeps` is
 * its runtime expression, such as `$request.header.x-request-id`.
 */
export interface KeptValue {
  readonly keeps: string;
}

/** An operation with the types of its input and answer, which exist at compile time only. */
export interface Operation<In = Input, Out = Answer> extends OperationData {
  readonly '~types'?: { readonly input: In; readonly answer: Out };
}

/** A security scheme with the scopes that a call requires. */
export interface ScopedScheme {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/**
 * Alternative lists of security scheme names. All schemes of one list authorize a call. Without any list, a call needs
 * no credentials.
 */
export type Alternatives = readonly (readonly (string | ScopedScheme)[])[];

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
   * What happens to a call whose input violates the contract: `throw` an `invalid-request`, `report` it to `onEvent` and
   * send it, or `ignore` the violation. With `throw`, nothing is sent. Only a client with validators detects violations.
   * Default: `throw`.
   */
  readonly invalidRequest?: 'throw' | 'report' | 'ignore';
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
   * Whether this call may be repeated when it is unknown whether the service has processed it. Default: as the contract
   * states it (`x-repeatable`), also on the condition that all attempts carry the same value of a parameter; otherwise
   * true for idempotent methods. Of calls that it does not declare, only those are that change nothing, such as GET.
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
  /** Overrides the client's `invalidRequest`, for example for a value that the service accepts before the contract does. */
  readonly invalidRequest?: 'throw' | 'report' | 'ignore';
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

/** The members of every event of a call. */
interface CallEvent {
  /** The `operationId`, or method and path as given for a call that the contract does not declare. */
  readonly operation: string;
  readonly method: string;
  /** The path template, because parameter values can be confidential. */
  readonly path: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The request id of the attempt, where the contract defines one for every request. */
  readonly requestId: string | undefined;
}

/** The members of an event without those that its call adds. */
type EventDetails<Event extends ClientEvent = ClientEvent> = Event extends CallEvent
  ? Omit<Event, keyof CallEvent>
  : never;

/** An event in a client, for logs and traces. It contains no secret. */
export type ClientEvent =
  | (CallEvent & { readonly type: 'request' })
  | (CallEvent & {
      readonly type: 'response';
      readonly status: number;
      /** Milliseconds from sending the request to its response; for a stream, to its headers. */
      readonly durationMs: number;
    })
  | (CallEvent & {
      readonly type: 'retry';
      readonly reason: 'status' | 'network' | 'timeout' | 'unauthorized';
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
    })
  /**
   * A response, or an item of a stream, violates its schema. The call continued, because `invalidResponse` is `report`:
   * it returned the response, or rejected with the failure that the response is.
   */
  | (CallEvent & {
      readonly type: 'invalid-response';
      readonly status: number;
      readonly cause: unknown;
    })
  /** The input of a call violates the contract. It is sent nevertheless, because `invalidRequest` is `report`. */
  | (CallEvent & { readonly type: 'invalid-request'; readonly cause: unknown })
  /** The call rejected with a ClientError. */
  | (CallEvent & {
      readonly type: 'failure';
      readonly code: ClientErrorCode;
      /** The HTTP status of the last response; `undefined` if there was none. */
      readonly status: number | undefined;
    })
  /** The token store failed or did not answer in time. The call continued without it. */
  | {
      readonly type: 'token-store-failure';
      readonly action: 'get' | 'set';
      readonly cause: Error | undefined;
    }
  /**
   * A token was not shared in the token store, because the client cannot know whose it is: a function from the options
   * returns a credential, or the connection itself authenticates the call. Set `tokenStoreKey` to share it.
   */
  | { readonly type: 'token-store-skipped' }
  /** An entry of the token store was not used. A new token was requested and replaced it. */
  | {
      readonly type: 'token-store-entry-ignored';
      /** `invalid`: the entry has no valid token, or no expiry time. */
      readonly reason: 'invalid' | 'expired';
    };

/** The servers that a contract describes. */
export interface Servers {
  /** The server of operations that do not have one. Without it, the client requires `baseUrl`. */
  readonly root?: ServerDescription;
  /** The servers of single operations, by the names that `baseUrls` uses. */
  readonly ofOperations?: Readonly<Record<string, ServerDescription>>;
  /** `false` where each operation has its own server: only `request()` then needs `baseUrl`. Default: true. */
  readonly isRootUsed?: boolean;
}

/** A server that the contract describes. */
export interface ServerDescription {
  /** The URL as the contract states it: variables are in braces, and it may be relative. */
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
  /** Set where the contract leaves open which address the server has. Then an option has to state it. */
  readonly isOpen?: true;
  /** Set for an address that credentials are exchanged at: it uses TLS, except on this machine. */
  readonly requiresTls?: true;
}

/** A variable in the URL of a server. */
export interface ServerVariable {
  readonly default?: string;
  /** The allowed values. Default: any. */
  readonly enum?: readonly string[];
}

/**
 * A store that shares access tokens among processes. It is the part of a `Map`, and of every Keyv-compatible store,
 * that the client needs. Values are plain JSON. Anyone who can read the store can use the tokens.
 */
export interface TokenStore {
  /** Returns the stored value, or a promise of it. `undefined` and `null` mean that there is none. */
  readonly get: (key: string) => unknown;
  /** Stores a value. The store may drop it after `lifetimeMs` milliseconds. */
  readonly set: (key: string, value: StoredToken, lifetimeMs: number) => unknown;
}

/** A stored access token. */
export interface StoredToken {
  readonly token: string;
  /** When the client stops using it, in milliseconds since 1970. */
  readonly expires: number;
  /** When a client requested it, in milliseconds since 1970. It differs if the service issues the same token again. */
  readonly issued?: number;
}
