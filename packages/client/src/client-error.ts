/** Why a call did not end with an answer that the contract declares. */
export type ClientErrorCode =
  /** An option of the client is missing or out of range. */
  | 'invalid-option'
  /** A function that was given as an option has failed; the cause is what it threw. */
  | 'function-failed'
  /** The platform lacks a Web standard that the client needs, such as a Node before 20.12. */
  | 'unsupported-platform'
  /** None of the alternatives that the contract gives for this call has all its credentials. */
  | 'missing-credential'
  /** What the call was given cannot be sent as the contract says. */
  | 'invalid-input'
  /** The URL on the wire would not be the one that was built, such as for a path with `..` in it. */
  | 'unsafe-url'
  /** The signature scheme refuses the request; the cause says why. */
  | 'unsignable'
  /** No answer came in time: in any attempt, or in the time that the call may take in all. */
  | 'timeout'
  /** The caller's signal was aborted. */
  | 'aborted'
  /** The request or its answer was lost on the way. */
  | 'network'
  /** The answer leads elsewhere, and credentials are not carried there. */
  | 'redirected'
  /** A status that the contract does not declare for this call. */
  | 'unexpected-status'
  /** A media type that the contract does not declare for this status. */
  | 'unexpected-content'
  /** A body, or an item of a stream, that is larger than `maxResponseBytes`. */
  | 'response-too-large'
  /** A body that is not what the contract says; the cause lists the violations where it was validated. */
  | 'invalid-response'
  /** The answer of the token operation holds no token, or no lifetime, that can be used. */
  | 'invalid-token';

/** What is known about a call that failed. */
export interface FailedCall {
  /** The operationId, or method and path of a call that the contract does not declare. */
  readonly operation?: string | undefined;
  /** The HTTP status of the last answer. */
  readonly status?: number | undefined;
  /** The id that the last attempt carried, where the contract gives every request one. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
  /** What came with a status or content that was not expected. */
  readonly body?: unknown;
  readonly headers?: Headers | undefined;
}

/**
 * The one error of this package. Neither its message nor anything that `inspect` or `JSON.stringify` shows of it
 * holds a credential, a token, a signature or a body.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  declare readonly operation?: string;
  declare readonly status?: number;
  declare readonly requestId?: string;
  readonly #body: unknown;
  readonly #headers: Headers | undefined;

  constructor(code: ClientErrorCode, message: string, about: FailedCall = {}) {
    const { cause, body, headers, ...shown } = about;
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    Object.assign(this, shown);
    this.#body = body;
    this.#headers = headers;
  }

  /** The body of the answer, decoded as its media type says; kept out of every log. */
  get body(): unknown {
    return this.#body;
  }

  /** The headers of the answer; kept out of every log. */
  get headers(): Headers | undefined {
    return this.#headers;
  }
}
