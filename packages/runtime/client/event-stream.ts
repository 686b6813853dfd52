import { decodeJson, isCrOrLf, textLines } from './lines.ts';
import type { StreamDecoder, StreamSource } from './operation.ts';
import { tooLarge } from './read-body.ts';
import { closing } from './streams.ts';

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
    stream: (source) => closing(source, readEvents(source, data === 'json', item === 'event')),
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
