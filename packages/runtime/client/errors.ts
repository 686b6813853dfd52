// The errors of a client, and the checks and time limits that cause them.

/** Why a client cannot be created, or why a call has no response that the contract declares. */
export type ClientErrorCode =
  /** An option is missing or out of range. */
  | 'invalid-option'
  /** A function that was given as an option failed; `cause` is what it threw. */
  | 'function-failed'
  /** The platform lacks a Web standard that the client needs, such as a Node before 20.12. */
  | 'unsupported-platform'
  /** For each alternative in the contract's `security`, a credential is missing. */
  | 'missing-credential'
  /** The input of the call cannot be sent as the contract specifies. */
  | 'invalid-input'
  /**
   * A parameter, a header or the body violates its schema, and nothing was sent. The message names the members and what
   * is allowed; `cause` lists the violations. `invalidRequest` changes it.
   */
  | 'invalid-request'
  /** The URL would change when it is sent, for example because its path contains `..`. */
  | 'unsafe-url'
  /** The request cannot be signed; `cause` says why. */
  | 'unsignable'
  /** No response arrived within the timeout of the attempts or of the whole call, or a stream was idle for too long. */
  | 'timeout'
  /** The caller's signal was aborted. */
  | 'aborted'
  /** The request or its response was lost in the network. */
  | 'network'
  /**
   * The response is a redirect that the contract does not declare. The client follows none, so that credentials stay
   * with the service.
   */
  | 'redirected'
  /**
   * The service answered with a failure that the contract declares: a status from 400 on. The error has the answer. The
   * guard of the operation, such as `isGetOrderFailure`, types it.
   */
  | 'failure-status'
  /**
   * The contract does not declare the response's status for this call. With a status below 400, the service may have
   * executed the call.
   */
  | 'unexpected-status'
  /** The contract does not declare the response's media type for this status. */
  | 'unexpected-content'
  /** The body of a response below 400, or an item of a stream, is larger than `maxResponseBytes`. */
  | 'response-too-large'
  /**
   * The body of a response below 400, or an item of a stream, cannot be decoded or violates its schema. For a schema,
   * `cause` lists the violations.
   */
  | 'invalid-response'
  /** The response of the token operation contains no usable token or lifetime. */
  | 'invalid-token'
  /** The service returned a cursor of a list again, so that the list would not end. */
  | 'repeated-page'
  /** The link to the next page of a list leads elsewhere than below the operation's address. Nothing was sent there. */
  | 'foreign-link';

/** The known facts about a failed call. */
export interface FailedCall {
  /** The `operationId`, or method and path of a call that the contract does not declare. */
  readonly operation?: string | undefined;
  /** The HTTP status of the last response. Below 400, the service may have executed the call. */
  readonly status?: number | undefined;
  /**
   * The status in the contract whose declaration a failure matches, body included: `402`, a range such as `4XX`, or
   * `default`.
   */
  readonly declaredStatus?: string | undefined;
  /** The media type that the contract declares for the body, if the failure matches its declaration. */
  readonly mediaType?: string | undefined;
  /** The request id of the last attempt, where the contract defines one for every request. */
  readonly requestId?: string | undefined;
  /** The underlying error. Secrets are removed from errors that come from outside the client. */
  readonly cause?: unknown;
  /** The headers of the response. */
  readonly headers?: Headers | undefined;
  /** The headers that the contract declares, decoded, if the failure matches its declaration. */
  readonly declaredHeaders?: object | undefined;
  /**
   * The body of the response. If it cannot be decoded as the contract declares, it is decoded by its content type, and
   * if that fails too, it is the bytes. `undefined` if the response has no body.
   */
  readonly body?: unknown;
  /** The bytes of the body as they arrived. If it was too large or the connection failed, only its beginning. */
  readonly bytes?: Uint8Array | undefined;
}

/** All facts of each error. Printing or serializing an error does not show them. */
const facts = new WeakMap<ClientError, FailedCall>();

/** Returns the facts about a failed call that its error has. */
export function factsOf(error: ClientError): FailedCall {
  return facts.get(error) ?? {};
}

/** The facts that are shown. */
const shown = ['operation', 'status', 'declaredStatus', 'mediaType', 'requestId'] as const;

/**
 * The only error class of this package. Its message contains no credential, token, signature or body, and neither does
 * the output of `inspect` or `JSON.stringify`.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The `operationId`, or method and path of a call that the contract does not declare. */
  declare readonly operation?: string;
  /** The HTTP status of the last response, a number. Below 400, the service may have executed the call. */
  declare readonly status?: number;
  /**
   * The status in the contract whose declaration a failure matches, body included: `402`, a range such as `4XX`, or
   * `default`.
   */
  declare readonly declaredStatus?: string;
  /** The media type that the contract declares for the body, if the failure matches its declaration. */
  declare readonly mediaType?: string | undefined;
  /** The request id of the last attempt, where the contract defines one for every request. */
  declare readonly requestId?: string;
  constructor(code: ClientErrorCode, message: string, about: FailedCall = {}) {
    const { cause } = about;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    facts.set(this, about);
    for (const name of shown)
      if (about[name] !== undefined) Object.assign(this, { [name]: about[name] });
  }

  /** The headers of the response. `inspect` and `JSON.stringify` do not show them. */
  get headers(): Headers | undefined {
    return factsOf(this).headers;
  }

  /** The headers that the contract declares, decoded, if the failure matches its declaration. */
  get declaredHeaders(): object | undefined {
    return factsOf(this).declaredHeaders;
  }

  /**
   * The body of the response. If it cannot be decoded as the contract declares, it is decoded by its content type, and
   * if that fails too, it is the bytes. `undefined` if the response has no body. `inspect` and `JSON.stringify` do not
   * show it.
   */
  get body(): unknown {
    return factsOf(this).body;
  }

  /**
   * The bytes of the body as they arrived. If it was too large or the connection failed, only its beginning. `inspect`
   * and `JSON.stringify` do not show them.
   */
  get bytes(): Uint8Array | undefined {
    return factsOf(this).bytes;
  }
}

/** Creates the error for the input of a call that cannot be sent. */
export function invalidInput(message: string): ClientError {
  return new ClientError('invalid-input', message);
}

/** Creates the error for an option that is missing or out of range. */
export function invalidOption(message: string): ClientError {
  return new ClientError('invalid-option', message);
}

/** The number of characters of a pointer in a warning. A member's name can be as long as the service chose. */
const maxPointer = 200;

/** Names the place and the keyword of the first violation that an error of a validator lists. */
export function firstViolation(error: unknown): string {
  const { violations } = (error ?? {}) as { readonly violations?: unknown };
  const [first] = Array.isArray(violations) ? (violations as readonly unknown[]) : [];
  const { pointer, keyword } = (first ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof pointer !== 'string' || typeof keyword !== 'string') return '';
  return ` (${keyword} at ${JSON.stringify(pointer.slice(0, maxPointer))})`;
}

/**
 * Returns whether a rejection of `fetch` is a network failure. Every other rejection is an error of the program, and
 * repeating the call does not help.
 * @param isPlatform whether `fetch` is the platform's own. The Fetch standard lets it reject with a TypeError both for
 * network failures and for arguments that it cannot send. Creating a `Request` detects such arguments.
 */
export function isNetworkFailure(
  error: unknown,
  isPlatform: boolean,
  url: string,
  init: RequestInit,
): boolean {
  if (isPlatform) return canBeSent(url, init);
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return typeof code === 'string' || cause instanceof Error || knownMessages.test(error.message);
}

/** The messages of network failures of the platforms' own `fetch` and of popular replacements. */
const knownMessages =
  /^(?:fetch failed|terminated|failed to fetch|load failed|networkerror|(?:a |the )?(?:network|internet) |error sending)/i;

function canBeSent(url: string, init: RequestInit): boolean {
  try {
    // A bundler can leave out an object that nothing uses.
    return Boolean(new Request(url, init));
  } catch {
    return false;
  }
}

/**
 * Returns whether a network failure is known to have occurred before the first byte was sent. Node's `fetch` names the
 * failed system call in the cause: looking up the host name, or connecting. A host with several addresses has several
 * causes. A failure without these names may have occurred later.
 */
export function isUnsent(error: unknown): boolean {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const causes: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.length > 0 && causes.every(isBeforeSending);
}

function isBeforeSending(cause: unknown): boolean {
  const { syscall, code } = (cause ?? {}) as { readonly syscall?: unknown; code?: unknown };
  return ['getaddrinfo', 'connect', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    (syscall ?? code) as string,
  );
}

/**
 * Returns a function from the options with recognizable failures. An error that it throws or rejects with becomes the
 * cause of a ClientError `function-failed` that names the option. Such a failure never counts as a network failure.
 */
export function guard<Arguments extends readonly unknown[], Result>(
  option: string,
  run: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  return (...args) => {
    try {
      const result = run(...args);
      if (!isThenable(result)) return result;
      return Promise.resolve(result).catch((cause: unknown) => {
        throw functionFailed(option, cause);
      }) as Result;
    } catch (cause) {
      throw functionFailed(option, cause);
    }
  };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}

/** Does the same for a function that returns a number. A result that is not a finite number is a failure too. */
export function guardNumber(option: string, run: () => number): () => number {
  const guarded = guard(option, run);
  return () => {
    const result: unknown = guarded();
    if (typeof result === 'number' && Number.isFinite(result)) return result;
    throw new ClientError(
      'function-failed',
      `The function of the option ${option} did not return a finite number.`,
    );
  };
}

/** Creates the error for a failed function from the options. The connection removes secrets from its cause. */
export function functionFailed(option: string, cause: unknown): ClientError {
  return new ClientError(
    'function-failed',
    `The function of the option ${option} failed. The cause is what it threw.`,
    { cause },
  );
}

/**
 * Checks, before anything is sent, that the platform has the required Web standards. Checks features and not versions,
 * so that every platform with these standards is supported.
 * @throws ClientError `unsupported-platform`
 */
export function assertPlatform(): void {
  const missing = ['fetch', 'crypto', 'AbortController'].filter(
    (name) => Reflect.get(globalThis, name) === undefined,
  );
  if (missing.length === 0) return;
  throw new ClientError(
    'unsupported-platform',
    `This platform lacks ${missing.join(', ')}. Use Node 20.12 or later, or another platform with these Web standards.`,
  );
}

/** What an option must be, and a function that returns whether a value is. */
export type Rule = readonly [what: string, isValid: (value: unknown) => boolean];

/**
 * Returns the value of the choice that an option names: the name itself in a list of names.
 * @param assumed the name of the choice without the option; without it, the option is required
 * @throws ClientError `invalid-option` for a name that is not among the choices
 */
export function choose<const T>(
  options: object,
  option: string,
  choices: readonly T[] | Readonly<Record<string, T>>,
  assumed?: string,
): T {
  const chosen = (options as Readonly<Record<string, string | undefined>>)[option] ?? assumed;
  const isList = Array.isArray(choices);
  demand(option, oneOf(...(isList ? (choices as string[]) : Object.keys(choices))), chosen);
  return (isList ? chosen : (choices as Readonly<Record<string, T>>)[chosen ?? '']) as T;
}

/**
 * Throws where a value is not what a rule demands.
 * @throws ClientError `invalid-option`, naming the option
 */
export function demand(name: string, [what, isValid]: Rule, value: unknown): void {
  if (!isValid(value)) throw invalidOption(`The option ${name} must be ${what}.`);
}

/** Creates the rule that a value is one of some names. */
export function oneOf(...names: readonly string[]): Rule {
  return [`one of ${names.join(', ')}`, (value) => names.includes(value as string)];
}

/** A signal with a time limit, and functions to end its use. */
interface Deadline {
  /** Aborted when the time is over, or with the outer signal. */
  readonly signal: AbortSignal;
  /** Returns whether the time was over before the outer signal was aborted. */
  readonly isExpired: () => boolean;
  /** Clears the timer and stops listening to the outer signal. The signal then stays as it is. */
  readonly end: () => void;
}

/**
 * Starts a time limit. Unlike `AbortSignal.timeout` and `AbortSignal.any`, it holds nothing after its end: neither a timer
 * nor a listener of an outer signal that many calls share.
 * @param outer a signal that ends the time early
 */
export function startDeadline(milliseconds: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    end();
    controller.abort(new Error('The time is over.'));
  }, milliseconds);
  const abort = (): void => {
    end();
    controller.abort(outer?.reason);
  };
  const end = (): void => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  };
  if (outer?.aborted === true) abort();
  else outer?.addEventListener('abort', abort);
  return { signal, isExpired: () => isExpired, end };
}

/** Waits for a promise, and rejects with the signal's reason if that is aborted first. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  // Without a handler, a failure after the abort would be an unhandled rejection.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Waits for the given milliseconds. Rejects with the signal's reason if that is aborted first. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
      signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
