import { ClientError } from './client-error.ts';
import { parseJson } from './json.ts';
import type { StreamDecoder, StreamSource } from './operation.ts';
import { tooLarge } from './read-body.ts';
import { closing, readChunks, type Chunks } from './streams.ts';

/** `application/jsonl`, `application/x-ndjson`: an async iterable with the JSON value of each line. */
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

/** Decodes a JSON text: the item, and the value of it that validators read. */
export function decodeJson(
  source: StreamSource,
  text: string,
): { readonly item: unknown; readonly value: unknown } {
  return decode(source, () => {
    const item = parseJson(text, source.numbers);
    return { item, value: source.numbers === 'text' ? parseJson(text, 'round') : item };
  });
}

/** Runs what decodes an item, and makes its failure the error of the stream. */
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
 * The lines of a body in UTF-8, without a byte order mark, each as soon as it ends. The last one counts as a line even
 * where no line end follows.
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
    // The second half of a CRLF whose first ended the chunk before.
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
