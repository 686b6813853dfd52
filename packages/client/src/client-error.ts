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
  /** The contract does not declare the response's status for this call. */
  | 'unexpected-status'
  /** The contract does not declare the response's media type for this status. */
  | 'unexpected-content'
  /** A body, or an item of a stream, is larger than `maxResponseBytes`. */
  | 'response-too-large'
  /** A body cannot be decoded or violates its schema. For a schema, `cause` lists the violations. */
  | 'invalid-response'
  /** The response of the token operation contains no usable token or lifetime. */
  | 'invalid-token';

/** The known facts about a failed call. */
export interface FailedCall {
  /** The `operationId`, or method and path of a call that the contract does not declare. */
  readonly operation?: string | undefined;
  /** The HTTP status of the last response. */
  readonly status?: number | undefined;
  /** The request id of the last attempt, where the contract defines one for every request. */
  readonly requestId?: string | undefined;
  /** The underlying error. Secrets are removed from errors that come from outside the client. */
  readonly cause?: unknown;
  /** The decoded body of a response that was not accepted. */
  readonly body?: unknown;
  /** The headers of the response. */
  readonly headers?: Headers | undefined;
}

/**
 * The only error class of this package. Its message contains no credential, token, signature or body, and neither does
 * the output of `inspect` or `JSON.stringify`.
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

  /** The body of the response, decoded by its media type. `inspect` and `JSON.stringify` do not show it. */
  get body(): unknown {
    return this.#body;
  }

  /** The headers of the response. `inspect` and `JSON.stringify` do not show them. */
  get headers(): Headers | undefined {
    return this.#headers;
  }
}
