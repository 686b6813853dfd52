import type { ClientError } from './client-error.ts';
import type { NumberMode } from '../base/number-mode.ts';
import type { Encode, Style } from './styles.ts';

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
  readonly stream: (source: StreamSource) => unknown;
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
  /** Validators of bodies. */
  readonly checks?: ByResponse<BodyCheck>;
  /** Alternative lists of security scheme names. Default: the service's. */
  readonly security?: Alternatives;
  /** Whether the call may be repeated although its method is not idempotent. */
  readonly repeatable?: true | KeptValue;
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
