import { ClientError } from './client-error.ts';
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
  const { check } = source;
  for await (const line of textLines(source, /\n/)) {
    if (line.trim() === '') continue;
    const { item, value } = decodeJson(source, line);
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
  return decode(source, () => {
    const item = parseJson(text, source.numbers);
    return { item, value: source.numbers === 'text' ? parseJson(text, 'round') : item };
  });
}

/** Calls a function that decodes an item, and converts its error to that of the stream. */
export function decode<T>({ fail }: StreamSource, run: () => T): T {
  try {
    return run();
  } catch (error) {
    // The parser's message would quote the item.
    const what = error instanceof RangeError ? error.message : 'cannot be read';
    throw fail(new ClientError('invalid-response', `An item of the stream ${what}.`));
  }
}

/**
 * Yields the lines of a UTF-8 body, without a byte order mark, as soon as each is complete. The last line needs no line
 * end.
 */
export async function* textLines(
  source: StreamSource,
  lineEnd: RegExp,
): AsyncGenerator<string, undefined> {
  const { maxItemBytes, fail } = source;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: Chunks<Uint8Array> = readChunks(source);
  let rest = '';
  let endedByCr = false;
  for await (const chunk of chunks) {
    let text = decode(source, () => decoder.decode(chunk, { stream: true }));
    if (text === '') continue;
    // The second half of a CRLF that two chunks share.
    if (endedByCr && text.startsWith('\n')) text = text.slice(1);
    endedByCr = lineEnd.test('\r') && text.endsWith('\r');
    const lines = text.split(lineEnd);
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxItemBytes) throw fail(tooLarge('item', maxItemBytes));
  }
  decode(source, () => decoder.decode());
  if (rest !== '') yield rest;
  return undefined;
}
