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
  | 'invalid-token';

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
