import { ClientError, type ClientErrorCode, type FailedCall } from './client-error.ts';
import { charsetOf, decodeContent, essence, fromBytes, isJson } from './decoders.ts';
import type { NumberMode } from '../base/number-mode.ts';
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
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly stream?: UnreadBody | undefined;
  /** Why the bytes are only the beginning of the body. Only failures have it: their status is the answer. */
  readonly incomplete?: string | undefined;
  /** Why a credential that the service refused could not be renewed. */
  readonly cause?: ClientError | undefined;
}

/** A body that the caller reads as a stream. */
interface UnreadBody {
  readonly body: ReadableStream<Uint8Array>;
  readonly decoder: StreamDecoder;
  /** Closes the connection. */
  readonly close: () => void;
}

/** How a call reads its answer. */
export interface AnswerReader {
  readonly operation: OperationData;
  /** The known facts about the call. */
  readonly about: FailedCall;
  readonly numbers: NumberMode;
  /** Runs a validator as the option `invalidResponse` says. Returns its error if the body cannot be used as declared. */
  readonly violationOf: (check: BodyCheck, value: unknown, status: number) => unknown;
  /** Creates the body of a stream. */
  readonly open: (stream: UnreadBody, check: (value: unknown, item: unknown) => void) => unknown;
}

/** The lowest status of a failure. A call that is answered with one has not done what it should, declared or not. */
export const firstFailure = 400;

/**
 * Converts a response to the answer that the contract declares for it.
 * @throws ClientError for a failure, a response that the contract does not declare, and an invalid body
 */
export function toAnswer(reader: AnswerReader, received: Received): Answer {
  const { operation, about, violationOf, open } = reader;
  const { status, headers, bytes, stream } = received;
  const declared = declaredContent(operation, status, headers);
  const { key, mediaType } = declared;
  const says = `the service answered with the status ${status}`;
  const fault = (code: ClientErrorCode, what: string, more: FailedCall): ClientError =>
    new ClientError(code, `${operation.id}: ${what}.${executedNote(status)}`, {
      ...about,
      status,
      headers,
      bytes,
      ...more,
      cause: more.cause ?? received.cause,
    });
  if (key === undefined) {
    const body = tryToRead(received);
    if (status === 0 || (status >= 300 && status < firstFailure)) {
      const what = 'the response is a redirect, which the client does not follow';
      throw fault('redirected', what, { body });
    }
    const which = operation.responses && ', which the contract does not declare';
    throw fault('unexpected-status', `${says}${which ?? ''}`, { body });
  }
  const answerWith = (body: unknown): Answer => ({
    status,
    declaredStatus: key,
    mediaType: body === undefined ? undefined : mediaType,
    headers,
    declaredHeaders: operation.headers?.[key]?.(headers) ?? {},
    body,
  });
  if (stream !== undefined) {
    const check = operation.checks?.[key]?.[mediaType ?? ''];
    return answerWith(
      open(stream, (value, item) => {
        const cause = check && violationOf(check, value, status);
        if (cause !== undefined)
          throw fault('invalid-response', violates, { cause, body: item, bytes: undefined });
      }),
    );
  }
  const { body, code, what, cause } = readBody(reader, received, declared);
  if (status >= firstFailure)
    throw code === undefined
      ? fault('failure-status', says, answerWith(body))
      : fault('failure-status', `${says}, but ${what}`, { body, cause });
  if (code !== undefined) throw fault(code, what, { body, cause });
  return answerWith(body);
}

/** Returns what an error says about a status that means success, before the caller repeats the call. */
export function executedNote(status = 0): string {
  return status >= 200 && status < 300 ? ' The service may have executed the call.' : '';
}

/** Returns the decoder that reads the body as a stream, where the contract or the call requires a stream. */
export function streamDecoder(
  operation: OperationData,
  { status, headers }: Response,
  isWanted: boolean | undefined,
): StreamDecoder | undefined {
  if (status >= firstFailure) return undefined;
  const { content, mediaType = '' } = declaredContent(operation, status, headers);
  const decoder = content?.[mediaType];
  if (typeof decoder !== 'object') return undefined;
  return isWanted === true || decoder.decode === undefined ? decoder : undefined;
}

interface DeclaredContent {
  /** The key in the operation's responses, such as `200` or `2XX`. */
  readonly key?: string | undefined;
  /** The declared media types of the status, where it has a body. */
  readonly content?: ByResponse<BodyDecoder | StreamDecoder | undefined>[string] | undefined;
  readonly mediaType?: string | undefined;
}

/** Finds what the contract declares for a response. */
function declaredContent(
  { responses }: OperationData,
  status: number,
  headers: Headers,
): DeclaredContent {
  // A call that the contract does not declare accepts any content of a 2XX response.
  const declared: ByResponse<BodyDecoder | StreamDecoder | undefined> = responses ?? {
    '2XX': { '*/*': undefined },
  };
  const range = `${status}`[0] + 'XX';
  let key = [`${status}`, range].find((candidate) => Object.hasOwn(declared, candidate));
  // `default` describes failures, so that no 202 has the type of an error; if it is alone, successes too.
  if (key === undefined && Object.hasOwn(declared, 'default')) {
    const isAlone = range === '2XX' && Object.keys(declared).length === 1;
    if (status >= firstFailure || isAlone) key = 'default';
  }
  const content = declared[key ?? ''] ?? {};
  const mediaTypes = Object.keys(content);
  if (mediaTypes.length === 0) return { key };
  return { key, content, mediaType: selectMediaType(mediaTypes, headers.get('content-type')) };
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

const violates = 'the body violates its schema. The cause lists the violations';

/** A body, and what is wrong with it. */
interface ReadBody {
  readonly body: unknown;
  /** The code of the error, if the body is not as the contract declares. */
  readonly code?: ClientErrorCode;
  readonly what: string;
  readonly cause?: unknown;
}

/** Decodes and validates a body as the contract declares it; if that fails, decodes it by its content type. */
function readBody(
  { operation, numbers, violationOf }: AnswerReader,
  received: Received,
  { key = '', content, mediaType }: DeclaredContent,
): ReadBody {
  const { status, headers, bytes, incomplete } = received;
  const misfit = (code: ClientErrorCode, what: string): ReadBody => ({
    body: tryToRead(received),
    code,
    what,
  });
  if (incomplete !== undefined)
    return misfit('response-too-large', `its body is incomplete. ${incomplete.slice(0, -1)}`);
  // The contract declares no body, but many services describe their failures in one.
  if (content === undefined || (bytes.length === 0 && operation.responses === undefined))
    return { body: status >= firstFailure ? tryToRead(received) : undefined, what: '' };
  if (mediaType === undefined)
    return misfit(
      'unexpected-content',
      'the contract does not declare the media type of the response',
    );
  const check = operation.checks?.[key]?.[mediaType];
  const contentType = withCharset(headers.get('content-type'), mediaType);
  const decode = toWhole(content[mediaType]);
  let body: unknown;
  let checked: unknown;
  try {
    body = decode(bytes, numbers, contentType);
    // Validators need numbers, not their texts.
    checked =
      numbers === 'text' && check !== undefined ? decode(bytes, 'round', contentType) : body;
  } catch (error) {
    // The parser's message would quote the body.
    const what = 'cannot be decoded as its media type';
    return misfit(
      'invalid-response',
      `the body ${error instanceof RangeError ? error.message : what}`,
    );
  }
  const cause = check && violationOf(check, checked, status);
  return cause === undefined
    ? { body, what: '' }
    : { body, code: 'invalid-response', what: violates, cause };
}

/** Returns a decoder that reads the whole body. */
function toWhole(decoder: BodyDecoder | StreamDecoder | undefined): BodyDecoder {
  if (decoder === undefined) return decodeContent;
  return typeof decoder === 'object' ? (decoder.decode ?? fromBytes) : decoder;
}

/** Adds the `charset` that the contract declares to a content type without one. */
function withCharset(contentType: string | null, mediaType: string): string | null {
  if (!mediaType.includes(';')) return contentType;
  const charset = charsetOf(mediaType);
  if (charset === undefined || charsetOf(contentType) !== undefined) return contentType;
  return `${contentType ?? essence(mediaType)}; charset=${charset}`;
}

/** Decodes a body by its content type. Returns its bytes if that fails, and `undefined` if there are none. */
function tryToRead({ headers, bytes }: Received): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return decodeContent(bytes, 'text', headers.get('content-type'));
  } catch {
    return bytes;
  }
}
