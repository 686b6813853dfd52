import { ClientError, type ClientErrorCode, type FailedCall } from './client-error.ts';
import { decodeContent, essence, isJson } from './decoders.ts';
import type { NumberMode } from './json.ts';
import type {
  Answer,
  BodyCheck,
  BodyDecoder,
  ByResponse,
  OperationData,
  StreamDecoder,
} from './operation.ts';

/** A response whose body has been read, or will be read as a stream. */
export interface Received {
  readonly code: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly stream?: UnreadBody | undefined;
}

/** A body that the caller reads as a stream. */
export interface UnreadBody {
  readonly body: ReadableStream<Uint8Array>;
  readonly decoder: StreamDecoder;
  /** Closes the connection. */
  readonly close: () => void;
}

/** Runs a check of the contract, and throws, reports or ignores its error as the option `invalidResponse` says. */
export type RunCheck = (check: (() => void) | undefined, about: () => FailedCall) => void;

/**
 * Converts a response to the answer that the contract declares for it.
 * @param open creates the body of a stream
 * @throws ClientError where the contract declares no such response, or its body is not valid
 */
export function toAnswer(
  operation: OperationData,
  received: Received,
  about: FailedCall,
  runCheck: RunCheck,
  open: (stream: UnreadBody, check: (value: unknown, item: unknown) => void) => unknown,
  numbers: NumberMode,
): Answer {
  const { id, responses, checks } = operation;
  const { code, headers, bytes, stream } = received;
  const fault = (kind: ClientErrorCode, what: string, more?: FailedCall): ClientError =>
    new ClientError(kind, `${id}: ${what}.`, { ...about, status: code, headers, ...more });
  const { status, content, mediaType } = declaredContent(operation, code, headers);
  if (status === undefined) {
    if (code === 0 || (code >= 300 && code < 400))
      throw fault('redirected', 'the response is a redirect, which the client does not follow');
    throw fault('unexpected-status', `the contract does not declare the status ${code}`, {
      body: tryToRead(received),
    });
  }
  const declaredHeaders = operation.headers?.[status]?.(headers) ?? {};
  const answer = { status, code, headers, declaredHeaders };
  if (content === undefined || (bytes.length === 0 && responses === undefined))
    return { ...answer, mediaType: undefined, body: undefined };
  if (mediaType === undefined)
    throw fault(
      'unexpected-content',
      'the contract does not declare the media type of the response',
      {
        body: tryToRead(received),
      },
    );
  const check = checks?.[status]?.[mediaType];
  const checkBody = (value: unknown, body: unknown): void =>
    runCheck(check && (() => checkValue(check, value)), () => ({
      ...about,
      status: code,
      headers,
      body,
    }));
  if (stream !== undefined) return { ...answer, mediaType, body: open(stream, checkBody) };
  let body: unknown;
  let checked: unknown;
  try {
    const decode = toWhole(content[mediaType]) ?? decodeContent;
    const contentType = headers.get('content-type');
    body = decode(bytes, numbers, contentType);
    // Validators need numbers, not their texts.
    checked =
      numbers === 'text' && check !== undefined ? decode(bytes, 'round', contentType) : body;
  } catch (error) {
    // The parser's message would quote the body.
    const what = 'cannot be decoded as its media type';
    throw fault(
      'invalid-response',
      `the body ${error instanceof RangeError ? error.message : what}`,
    );
  }
  checkBody(checked, body);
  return { ...answer, mediaType, body };
}

/** Returns the decoder that reads the body as a stream, where the contract or the call requires a stream. */
export function streamDecoder(
  operation: OperationData,
  { status: code, headers }: Response,
  isWanted: boolean | undefined,
): StreamDecoder | undefined {
  const { content, mediaType = '' } = declaredContent(operation, code, headers);
  const decoder = content?.[mediaType];
  if (typeof decoder !== 'object') return undefined;
  return isWanted === true || decoder.decode === undefined ? decoder : undefined;
}

interface DeclaredContent {
  /** The key in the operation's responses, such as `200` or `2XX`. */
  readonly status?: string | undefined;
  /** The declared media types of the status, where it has a body. */
  readonly content?: ByResponse<BodyDecoder | StreamDecoder | undefined>[string] | undefined;
  readonly mediaType?: string | undefined;
}

/** Finds what the contract declares for a response. */
function declaredContent(
  { responses }: OperationData,
  code: number,
  headers: Headers,
): DeclaredContent {
  // A call that the contract does not declare accepts any content of a 2XX response.
  const declared: ByResponse<BodyDecoder | StreamDecoder | undefined> = responses ?? {
    '2XX': { '*/*': undefined },
  };
  // The answer that the client does not fetch is another one than that of `default`.
  const isRedirect = code === 0 || (code >= 300 && code < 400);
  const status = [`${code}`, `${code}`[0] + 'XX', ...(isRedirect ? [] : ['default'])].find((key) =>
    Object.hasOwn(declared, key),
  );
  const content = status === undefined ? undefined : declared[status];
  const mediaTypes = Object.keys(content ?? {});
  if (mediaTypes.length === 0) return { status };
  return { status, content, mediaType: selectMediaType(mediaTypes, headers.get('content-type')) };
}

/**
 * Returns the declared media type that fits best. The order is: the same type, JSON for JSON, its range, the range of
 * all types, binary for binary. Without a content type, returns the only declared media type.
 */
function selectMediaType(
  declared: readonly string[],
  contentType: string | null,
): string | undefined {
  if (contentType === null) return declared.length === 1 ? declared[0] : undefined;
  const type = essence(contentType);
  const [major] = type.split('/');
  return (
    declared.find((candidate) => essence(candidate) === type) ??
    declared.find((candidate) => isJson(candidate) && isJson(type)) ??
    declared.find((candidate) => essence(candidate) === `${major}/*`) ??
    declared.find((candidate) => essence(candidate) === '*/*') ??
    declared.find((candidate) => isBinary(candidate) && isBinary(type))
  );
}

/** Returns whether a media type is binary: neither text nor a structure that the client decodes. */
function isBinary(mediaType: string): boolean {
  return !/^text\/|^multipart\/|json|xml$|form-urlencoded$/.test(essence(mediaType));
}

function toWhole(decoder: BodyDecoder | StreamDecoder | undefined): BodyDecoder | undefined {
  return typeof decoder === 'object' ? decoder.decode : decoder;
}

/** Runs a validator. Bytes, in a range of media types, are never a value of a schema. */
function checkValue(check: BodyCheck, value: unknown): void {
  if (value instanceof Uint8Array)
    throw new TypeError('The content type of the body is neither JSON nor text.');
  check(value);
}

function tryToRead({ headers, bytes }: Received): unknown {
  try {
    return decodeContent(bytes, 'text', headers.get('content-type'));
  } catch {
    return bytes;
  }
}
