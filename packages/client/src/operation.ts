import type { ClientError } from './client-error.ts';
import type { NumberMode } from './json.ts';
import type { Encode, Style } from './styles.ts';

/** What a call is given. Names are those on the wire. */
export interface Input {
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
  readonly cookies?: object;
  readonly body?: unknown;
  /** Which of several media types the body has; left out, it is the first that the contract declares. */
  readonly mediaType?: string;
}

/** An answer with a status that the contract declares. `status` is the key of the declaration, such as `2XX`. */
export interface Answer<
  Status extends string = string,
  Code extends number = number,
  MediaType extends string | undefined = string | undefined,
  Body = unknown,
  DeclaredHeaders extends object = object,
> {
  readonly status: Status;
  /** The HTTP status itself. */
  readonly code: Code;
  /** The media type that the contract declares for the body; `undefined` where there is no body. */
  readonly mediaType: MediaType;
  readonly headers: Headers;
  /**
   * The headers that the contract declares for this status, by the name it gives them and read by their schema. A header
   * that is missing or not as declared is left out; its text is in `headers`.
   */
  readonly declaredHeaders: DeclaredHeaders;
  readonly body: Body;
}

/** The answer of a call with these options: a body of bytes is a stream where they say `stream: true`. */
export type AnswerTo<Out, Options> = Options extends { readonly stream: true }
  ? Out extends Answer<infer Status, infer Code, infer MediaType, infer Body, infer Declared>
    ? Body extends Uint8Array
      ? Answer<Status, Code, MediaType, ReadableStream<Uint8Array>, Declared>
      : Out
    : Out
  : Out;

/** A parameter as data. */
export interface ParameterDescription {
  readonly in: 'path' | 'query' | 'headers' | 'cookies';
  readonly name: string;
  readonly required?: true;
  /** Whether the contract has scalars only here, so that an object or array is an error. */
  readonly scalar?: true;
  readonly style: Style;
  readonly explode?: true;
  /** How a text is escaped, where it is not what its place asks for. */
  readonly encode?: Encode;
}

/** Writes a body; the answer's content type is the one to send. Throws a TypeError for what cannot be written. */
export type BodyEncoder = (value: unknown, mediaType: string) => Response;

/** Reads a body; `numbers` says how to read numbers that no double holds exactly. */
export type BodyDecoder = (bytes: Uint8Array, numbers: NumberMode | 'round') => unknown;

/** Reads a body while it arrives. */
export interface StreamDecoder {
  /** Reads the whole body, where the call does not say `stream: true`. Left out: the body is always a stream. */
  readonly whole?: BodyDecoder;
  readonly stream: (source: StreamSource) => unknown;
}

/** A body that has not been read, and what its reader needs. */
export interface StreamSource {
  readonly body: ReadableStream<Uint8Array>;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that may pass without a chunk. */
  readonly idleTimeout: number;
  /** Bytes that a single item may have. */
  readonly maxItemBytes: number;
  /** Ends the connection. May be called more than once. */
  readonly close: () => void;
  /** How to read numbers that no double holds exactly. */
  readonly numbers: NumberMode;
  /** Judges an item, by a value with rounded numbers, as the client judges answers. Throws a ClientError. */
  readonly check: (value: unknown, item: unknown) => void;
  /** Reports a failure, and returns it with what is known of the call. */
  readonly fail: (error: ClientError) => ClientError;
}

/** Throws where a body is not what the contract says. */
export type BodyCheck = (body: unknown) => void;

/** Something for each declared status and media type. */
export type ByResponse<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** An operation of the contract as data. */
export interface OperationData {
  readonly id: string;
  readonly method: string;
  /** The path template. */
  readonly path: string;
  /** The base address, where it is not the service's. */
  readonly baseUrl?: string;
  readonly parameters?: readonly ParameterDescription[];
  /** Names of the values of every request that this one carries; left out: all of them. */
  readonly everyRequest?: readonly string[];
  readonly body?: {
    readonly required?: true;
    readonly content: Readonly<Record<string, BodyEncoder>>;
  };
  /** Left out for a call that the contract does not declare. */
  readonly responses?: ByResponse<BodyDecoder | StreamDecoder>;
  /** What reads the declared headers, by status. */
  readonly headers?: Readonly<Record<string, (headers: Headers) => object>>;
  readonly checks?: ByResponse<BodyCheck>;
  /** Alternatives of scheme names; left out: the service's. */
  readonly security?: Alternatives;
  /** Whether the call may be sent again although its method is not idempotent. */
  readonly repeatable?: true;
}

/** An operation together with the types of what it takes and answers, which live in the compiler only. */
export interface Operation<In = Input, Out = Answer> extends OperationData {
  readonly '~types'?: { readonly input: In; readonly answer: Out };
}

/** Any one of these lists of security schemes authorises a call; none at all leaves it open to everybody. */
export type Alternatives = readonly (readonly string[])[];
