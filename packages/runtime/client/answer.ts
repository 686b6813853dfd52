// How a response becomes an answer: media types, headers, streams and failures.
import {
  GrowingBytes,
  type NumberMode,
  essenceOf,
  isExactNumber,
  isJsonType,
  selectByParameters,
} from '../base/index.ts';
import type {
  Answer,
  BodyCheck,
  BodyDecoder,
  ByResponse,
  CheckedReading,
  Input,
  OperationData,
  ParameterDescription,
  StreamDecoder,
  StreamReading,
  StreamSource,
  UnreadBody,
} from './description.ts';
import {
  ClientError,
  type ClientErrorCode,
  type FailedCall,
  firstViolation,
  invalidInput,
} from './errors.ts';
import { cookie, form, parseJson, simple, tooLarge, undeclared } from './request.ts';

/**
 * Decodes a JSON body. JSON is UTF-8, and its media type has no `charset` (RFC 8259, sections 8.1 and 11), so that one
 * is ignored.
 * @param numbers what to do with a number that no double represents exactly
 * @throws TypeError for bytes that are not UTF-8, SyntaxError for text that is not JSON, RangeError for a refused
 * number
 */
export function fromJson(bytes: Uint8Array, numbers: NumberMode | 'round' = 'refuse'): unknown {
  return parseJson(decodeText(bytes, 'utf-8'), numbers);
}

/**
 * Decodes a text body by the `charset` of its content type (RFC 9110, section 8.3.2). Without one, it is UTF-8.
 * @throws TypeError for bytes that are not in the encoding, RangeError for a `charset` that the platform does not know
 */
export function fromText(
  bytes: Uint8Array,
  _numbers?: NumberMode | 'round',
  contentType: string | null = null,
): string {
  return decodeText(bytes, charsetOf(contentType) ?? 'utf-8');
}

/** Returns the `charset` of a content type, in lower case; `undefined` if it has none. */
function charsetOf(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
}

function decodeText(bytes: Uint8Array, charset: string): string {
  // A `TextDecoder` reads the order of bytes from the label alone, but UTF-16 states it in its first bytes (RFC 2781).
  const isBigEndian = charset === 'utf-16' && bytes[0] === 0xfe && bytes[1] === 0xff;
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(isBigEndian ? 'utf-16be' : charset, { fatal: true });
  } catch {
    throw new RangeError('has a charset that the platform does not know');
  }
  return decoder.decode(bytes);
}

/**
 * Decodes a value in a range of media types by its content type: JSON, text or bytes. Without a content type, it is
 * JSON.
 */
export function fromContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round' = 'refuse',
  contentType: string | null = null,
): unknown {
  return contentType === null
    ? fromJson(bytes, numbers)
    : decodeContent(bytes, numbers, contentType);
}

/** Decodes a text in a range of media types by its content type: JSON, otherwise text. */
export function fromTextContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round' = 'refuse',
  contentType: string | null = null,
): unknown {
  return isJsonType(contentType ?? '')
    ? fromJson(bytes, numbers)
    : fromText(bytes, numbers, contentType);
}

/** Decodes a body for which the contract states no media type by its content type: JSON, text or bytes. */
function decodeContent(
  bytes: Uint8Array,
  numbers: NumberMode | 'round',
  contentType: string | null,
): unknown {
  if (contentType === null) return bytes;
  if (isJsonType(contentType)) return fromJson(bytes, numbers);
  return essenceOf(contentType).startsWith('text/') ? fromText(bytes, numbers, contentType) : bytes;
}

/** Returns the bytes of a binary body unchanged. */
export function fromBytes(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** Decodes the text of a header, or returns `undefined` where it is not as declared. */
export type HeaderDecoder = (text: string) => unknown;

/**
 * Returns a function that decodes declared headers, by their names in the contract. Headers that are missing or not as
 * declared are left out.
 */
export function readHeaders(
  decoders: Readonly<Record<string, HeaderDecoder>>,
): (headers: Headers) => object {
  return (headers) =>
    Object.fromEntries(
      Object.entries(decoders).flatMap(([name, decode]) => {
        const text = headers.get(name);
        const value = text === null ? undefined : decode(text);
        return value === undefined ? [] : [[name, value]];
      }),
    );
}

/** Returns the text of a header unchanged. */
export function textHeader(text: string): string {
  return text;
}

/** Decodes a number. Returns `undefined` for other text, and for a number that no double represents exactly. */
export function numberHeader(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  return isExactNumber(text) ? Number(text) : undefined;
}

/** Decodes `true` and `false`. Returns `undefined` for other text. */
export function booleanHeader(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

/**
 * Decodes a header that its `content` declares as JSON. Returns `undefined` for text that is not JSON, or with an
 * inexact number.
 */
export function jsonHeader(text: string): unknown {
  try {
    return parseJson(text, 'refuse');
  } catch {
    return undefined;
  }
}

/** Creates a decoder for a list in the style `simple`. It returns `undefined` where an item is not as declared. */
export function listHeader(item: HeaderDecoder): HeaderDecoder {
  return (text) => {
    const items = text.split(',').map((part) => item(part.trim()));
    return items.includes(undefined) ? undefined : items;
  };
}

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

/** How a call reads its answer. */
interface AnswerReader
  extends CheckedReading, Pick<StreamReading, 'fail' | 'limits' | 'numbers' | 'signal'> {
  readonly operation: OperationData;
  /** The known facts about the call. */
  readonly about: FailedCall;
}

/** The lowest status of a failure. A call that is answered with one has not done what it should, declared or not. */
export const firstFailure = 400;

/**
 * Converts a response to the answer that the contract declares for it.
 * @throws ClientError for a failure, a response that the contract does not declare, and an invalid body
 */
export function toAnswer(reader: AnswerReader, received: Received): Answer {
  const { operation, about } = reader;
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
    const check = operation.checkOf?.(key, mediaType ?? '', reader);
    const violated: StreamReading['violated'] = (cause, item) =>
      fault('invalid-response', violates, { cause, body: item, bytes: undefined });
    return answerWith(stream.decoder.stream(stream, { ...reader, status, check, violated }));
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
 * Returns the declared media type that fits best. The order is: the same type by its parameters, JSON for JSON, its range, the range of
 * all types, binary for binary. Without a content type, returns the only declared media type, or the range of all types.
 */
function selectMediaType(
  declared: readonly string[],
  contentType: string | null,
): string | undefined {
  const anyType = declared.find((candidate) => essenceOf(candidate) === '*/*');
  if (contentType === null) return declared.length === 1 ? declared[0] : anyType;
  const type = essenceOf(contentType);
  const [major] = type.split('/');
  const alike = declared.filter((candidate) => essenceOf(candidate) === type);
  const others = alike.length === 0 ? declared : declared.filter((it) => !alike.includes(it));
  return (
    selectByParameters(alike, contentType) ??
    others.find((candidate) => isJsonType(candidate) && isJsonType(type)) ??
    declared.find((candidate) => essenceOf(candidate) === `${major}/*`) ??
    anyType ??
    declared.find((candidate) => isBinary(candidate) && isBinary(type))
  );
}

/** Returns whether a media type is binary: neither text nor a structure that the client decodes. */
function isBinary(mediaType: string): boolean {
  const read = /^text\/|^multipart\/|[/+]xml$|\/(?:x-)?(?:ndjson|jsonl|www-form-urlencoded)$/;
  return !isJsonType(mediaType) && !read.test(essenceOf(mediaType));
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
  reader: AnswerReader,
  received: Received,
  { key = '', content, mediaType }: DeclaredContent,
): ReadBody {
  const { operation, numbers } = reader;
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
  const check = operation.checkOf?.(key, mediaType, reader);
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
  const cause = check?.(checked, status);
  return cause === undefined
    ? { body, what: '' }
    : { body, code: 'invalid-response', what: violates, cause };
}

/** Runs a validator as the option `invalidResponse` says. Returns its error if the value cannot be used as declared. */
export function violationOf(
  check: BodyCheck,
  value: unknown,
  status: number,
  { operation, invalidResponse, report }: CheckedReading,
): unknown {
  if (invalidResponse === 'ignore') return undefined;
  try {
    // Bytes, in a range of media types, are never a value of a schema.
    if (value instanceof Uint8Array)
      throw new TypeError('The content type of the body is neither JSON nor text.');
    check(value);
    return undefined;
  } catch (cause) {
    if (invalidResponse === 'throw') return cause;
    report(
      { type: 'invalid-response', status, cause },
      {
        code: 'COUNTERSIGN_INVALID_RESPONSE',
        message: `A response to ${operation.id} with the status ${status} violates its schema${firstViolation(cause)}`,
        help: 'The call continued, because `invalidResponse` is `report`.',
      },
    );
    return status >= firstFailure ? cause : undefined;
  }
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
  return `${contentType ?? essenceOf(mediaType)}; charset=${charset}`;
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

/** Creates the function of a decoder that reads a stream. */
function streamWith(read: (source: StreamSource) => unknown): StreamDecoder['stream'] {
  return ({ body, close }, { signal, limits, numbers, status, check, violated, fail }) =>
    read({
      body,
      signal,
      idleTimeoutMs: limits.idleTimeoutMs,
      maxItemBytes: limits.maxResponseBytes,
      close,
      numbers,
      check(value, item) {
        const cause = check?.(value, status);
        if (cause !== undefined) throw fail(violated(cause, item));
      },
      fail,
    });
}

/** A decoder for a binary body: bytes, or a stream where the call has `stream: true`. */
export const fromBinary: StreamDecoder = {
  decode: fromBytes,
  stream: /* @__PURE__ */ streamWith(byteStream),
};

function byteStream(source: StreamSource): ReadableStream<Uint8Array> {
  const chunks = readChunks(source);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await chunks.next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return();
      },
    },
    // Reads nothing until the caller does.
    { highWaterMark: 0 },
  );
}

/** The chunks of a body, or items decoded from them. `return` closes the connection, even before the first item. */
type Chunks<T> = AsyncIterableIterator<T> & {
  next(): Promise<IteratorResult<T, undefined>>;
  return(): Promise<IteratorResult<T, undefined>>;
};

/**
 * Reads a body chunk by chunk, for as long as the service sends. Ends with a ClientError where no chunk arrives for
 * `idleTimeoutMs`, the caller aborts, or the connection is lost. Leaving the loop with `break` closes the connection.
 */
function readChunks(source: StreamSource): Chunks<Uint8Array> {
  return closing(source, chunksOf(source));
}

/** Makes `return` close the connection. A generator does not do that before its first item. */
function closing<T>(source: StreamSource, items: AsyncGenerator<T, undefined>): Chunks<T> {
  const chunks: Chunks<T> = {
    next: async () => await items.next(),
    async return() {
      source.close();
      if (!source.body.locked) source.body.cancel().catch(() => undefined);
      return await items.return(undefined);
    },
    [Symbol.asyncIterator]: () => chunks,
  };
  return chunks;
}

async function* chunksOf({
  body,
  signal,
  idleTimeoutMs,
  close,
  fail,
}: StreamSource): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader();
  let failure: ClientError | undefined;
  let isRead = false;
  const stop = (error: ClientError): void => {
    failure ??= error;
    close();
    // Cancelling ends a pending read, even where `fetch` ignores its signal.
    reader.cancel().catch(() => undefined);
  };
  const abort = (): void =>
    stop(new ClientError('aborted', 'The caller aborted the call.', { cause: signal?.reason }));
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted === true) abort();
    for (;;) {
      const timer = setTimeout(
        () =>
          stop(
            new ClientError(
              'timeout',
              `The service sent nothing for ${idleTimeoutMs} ms (idleTimeoutMs).`,
            ),
          ),
        idleTimeoutMs,
      );
      let chunk: Awaited<ReturnType<typeof reader.read>> | undefined;
      try {
        chunk = await reader.read();
      } catch (cause) {
        const message = 'The connection failed before the response was complete.';
        failure ??= new ClientError('network', message, { cause });
      } finally {
        clearTimeout(timer);
      }
      if (failure !== undefined) throw fail(failure);
      if (chunk?.value === undefined) {
        isRead = true;
        return undefined;
      }
      yield chunk.value;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!isRead) {
      close();
      reader.cancel().catch(() => undefined);
    }
  }
}

/**
 * A decoder for `application/jsonl` and `application/x-ndjson`. The body is an async iterable with the JSON value of
 * each line.
 */
export const fromLines: StreamDecoder = {
  stream: /* @__PURE__ */ streamWith((source) => closing(source, readLines(source))),
};

async function* readLines(source: StreamSource): AsyncGenerator<unknown, undefined> {
  const { check, maxItemBytes } = source;
  for await (const { text } of textLines(source, maxItemBytes, isLf)) {
    if (text.trim() === '') continue;
    const { item, value } = decodeJson(source, text);
    check(value, item);
    yield item;
  }
  return undefined;
}

/** Decodes a JSON text. Returns the item, and its value with rounded numbers for validators. */
function decodeJson(
  source: StreamSource,
  text: string,
): { readonly item: unknown; readonly value: unknown } {
  return decode(source, text, () => {
    const item = parseJson(text, source.numbers);
    return { item, value: source.numbers === 'text' ? parseJson(text, 'round') : item };
  });
}

/**
 * Calls a function that decodes an item, and converts its error to that of the stream, which has the item as it arrived:
 * the service does not send it again.
 */
function decode<T>({ fail }: StreamSource, item: string | Uint8Array, run: () => T): T {
  try {
    return run();
  } catch (error) {
    // The parser's message would quote the item.
    const what = error instanceof RangeError ? error.message : 'cannot be decoded';
    throw fail(
      new ClientError('invalid-response', `An item of the stream ${what}.`, {
        body: item,
        bytes: typeof item === 'string' ? new TextEncoder().encode(item) : item,
      }),
    );
  }
}

/** A line of a body, without its line end. */
interface TextLine {
  readonly text: string;
  /** The size of the text in UTF-8. */
  readonly byteLength: number;
}

const lf = 0x0a;
const cr = 0x0d;

/** Returns whether a byte ends a line of JSON. */
function isLf(byte: number | undefined): boolean {
  return byte === lf;
}

/** Returns whether a byte ends a line of an event stream. Between CR and LF, there is no line. */
function isCrOrLf(byte: number | undefined): boolean {
  return byte === lf || byte === cr;
}

/**
 * Yields the lines of a UTF-8 body, without a byte order mark, as soon as each is complete. The last line needs no line
 * end. Ends with a ClientError `response-too-large` as soon as a line has more than `maxLineBytes`, and with
 * `invalid-response` for bytes that are not UTF-8.
 */
async function* textLines(
  source: StreamSource,
  maxLineBytes: number,
  isLineEnd: (byte: number | undefined) => boolean,
): AsyncGenerator<TextLine, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const chunks: Chunks<Uint8Array> = readChunks(source);
  /** The start of the current line, from earlier chunks. */
  const rest = new GrowingBytes();
  let isFirst = true;
  let lastByte: number | undefined;
  const assertSize = (part: Uint8Array): void => {
    if (rest.length + part.length > maxLineBytes)
      throw source.fail(tooLarge('item of the stream', source.maxItemBytes));
  };
  const takeLine = (end: Uint8Array): TextLine => {
    assertSize(end);
    let line = end;
    if (rest.length > 0) {
      rest.add(end);
      line = rest.take();
    }
    const bytes = isFirst ? withoutBom(line) : line;
    isFirst = false;
    return { text: decode(source, bytes, () => decoder.decode(bytes)), byteLength: bytes.length };
  };
  for await (const chunk of chunks) {
    let start = 0;
    // In UTF-8, the bytes of CR and LF are never part of another character.
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index];
      const isSecondOfCrLf = byte === lf && lastByte === cr && isLineEnd(cr);
      lastByte = byte;
      if (!isLineEnd(byte)) continue;
      if (!isSecondOfCrLf) {
        yield takeLine(chunk.subarray(start, index));
      }
      start = index + 1;
    }
    const part = chunk.subarray(start);
    assertSize(part);
    rest.add(part);
  }
  if (rest.length > 0) yield takeLine(new Uint8Array(0));
  return undefined;
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** An event of a `text/event-stream` body. */
export interface ServerSentEvent<Data = string> {
  readonly data: Data;
  /** The type of the event. Without one, it is a `message`. */
  readonly event?: string;
  /** The last id that the service has sent, with this event or an earlier one. */
  readonly id?: string;
  /** Milliseconds to wait before reconnecting, where the service sent it with this event. */
  readonly retry?: number;
}

/**
 * Creates a decoder for `text/event-stream`, whose body is an async iterable of events.
 * @param data the format of an event's data. A stream of JSON ends at the data `[DONE]`, which some services send last
 * @param item what the contract's check applies to: the data, or the whole event
 */
export function fromEvents(data: 'text' | 'json', item: 'data' | 'event'): StreamDecoder {
  return {
    stream: streamWith((source) =>
      closing(source, readEvents(source, data === 'json', item === 'event')),
    ),
  };
}

async function* readEvents(
  source: StreamSource,
  isJson: boolean,
  checksEvent: boolean,
): AsyncGenerator<ServerSentEvent<unknown>, undefined> {
  for await (const event of parseEvents(source)) {
    if (isJson && event.data === '[DONE]') return undefined;
    const data = isJson ? decodeJson(source, event.data) : { item: event.data, value: event.data };
    const item = { ...event, data: data.item };
    source.check(checksEvent ? { ...event, data: data.value } : data.value, item);
    yield item;
  }
  return undefined;
}

/**
 * Parses the events of a stream as a browser's `EventSource` does. Unlike there, bytes that are not UTF-8 are an error.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
async function* parseEvents(source: StreamSource): AsyncGenerator<ServerSentEvent, undefined> {
  const { maxItemBytes, fail } = source;
  // The limit applies to the data, so a line may be longer by the name of its field.
  const maxLineBytes = maxItemBytes + 'data: '.length;
  let data = new JoinedLines();
  let dataBytes = 0;
  let event = '';
  let id: string | undefined;
  let retry: number | undefined;
  for await (const { text: line, byteLength } of textLines(source, maxLineBytes, isCrOrLf)) {
    if (line === '') {
      if (!data.isEmpty) {
        yield {
          data: data.toString(),
          ...(event === '' ? {} : { event }),
          ...(id === undefined ? {} : { id }),
          ...(retry === undefined ? {} : { retry }),
        };
      }
      data = new JoinedLines();
      dataBytes = 0;
      event = '';
      retry = undefined;
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?)?([^]*)$/.exec(line) ?? [];
    switch (field) {
      case 'data':
        // The line ends between lines of data are part of it. Names of fields have one byte a character.
        dataBytes += byteLength - (line.length - value.length) + (data.isEmpty ? 0 : 1);
        if (dataBytes > maxItemBytes) throw fail(tooLarge('item of the stream', maxItemBytes));
        data.add(value);
        break;
      case 'event':
        event = value;
        break;
      case 'id':
        if (!value.includes('\0')) id = value;
        break;
      case 'retry':
        if (/^[0-9]+$/.test(value)) retry = Number(value);
        break;
      default:
      // A comment, or a field that the specification says to ignore.
    }
  }
  return undefined;
}

/** The maximum number of lines that are kept apart. */
const maxLines = 1024;

/** Joins lines with line feeds. Needs memory of the order of their text, however short they are. */
class JoinedLines {
  readonly #blocks: string[] = [];
  #lines: string[] = [];

  get isEmpty(): boolean {
    return this.#blocks.length === 0 && this.#lines.length === 0;
  }

  add(line: string): void {
    if (this.#lines.length === maxLines) {
      this.#blocks.push(this.#lines.join('\n'));
      this.#lines = [];
    }
    this.#lines.push(line);
  }

  toString(): string {
    return [...this.#blocks, ...this.#lines].join('\n');
  }
}

/**
 * Returns the description of a call that the contract does not declare. Parameters have OpenAPI's default styles.
 * @throws ClientError `invalid-input` for a method that is not letters only
 */
export function toUndeclared(method: string, path: string, input: Input): OperationData {
  const upper = method.toUpperCase();
  if (!/^[A-Z]+$/.test(upper)) {
    throw invalidInput('The HTTP method must consist of letters.');
  }
  return {
    id: `${upper} ${path}`,
    method: upper,
    path,
    // What a call does that nobody describes, its method does not tell.
    ...(/^(?:GET|HEAD|OPTIONS|TRACE)$/.test(upper) ? {} : { repeatable: false }),
    parameters: (['path', 'query', 'headers', 'cookies'] as const).flatMap((place) =>
      Object.keys(input[place] ?? {}).map((name): ParameterDescription =>
        place === 'path' || place === 'headers'
          ? { in: place, name, style: simple }
          : { in: place, name, style: place === 'query' ? form : cookie, explode: true },
      ),
    ),
    body: { content: { [input.mediaType ?? '*/*']: undeclared } },
  };
}

/**
 * Returns whether an error is a failure that the contract declares for an operation, with a body as declared. The guards
 * in generated code call it.
 */
export function isFailureOf({ id, responses = {} }: OperationData, error: unknown): boolean {
  // Not by its class: an application can have two copies of this module.
  if (!(error instanceof Error) || error.name !== 'ClientError') return false;
  const { code, operation, declaredStatus } = error as ClientError;
  return (
    code === 'failure-status' &&
    operation === id &&
    declaredStatus !== undefined &&
    Object.hasOwn(responses, declaredStatus)
  );
}
