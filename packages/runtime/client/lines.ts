import { ClientError } from './client-error.ts';
import { GrowingBytes } from '../base/growing-bytes.ts';
import { parseJson } from './json.ts';
import type { StreamDecoder, StreamSource } from './operation.ts';
import { tooLarge } from './read-body.ts';
import { closing, readChunks, type Chunks } from './streams.ts';

/**
 * A decoder for `application/jsonl` and `application/x-ndjson`. The body is an async iterable with the JSON value of
 * each line.
 */
export const fromLines: StreamDecoder = {
  stream: (source) => closing(source, readLines(source)),
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
export function decodeJson(
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
export interface TextLine {
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
export function isCrOrLf(byte: number | undefined): boolean {
  return byte === lf || byte === cr;
}

/**
 * Yields the lines of a UTF-8 body, without a byte order mark, as soon as each is complete. The last line needs no line
 * end. Ends with a ClientError `response-too-large` as soon as a line has more than `maxLineBytes`, and with
 * `invalid-response` for bytes that are not UTF-8.
 */
export async function* textLines(
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
