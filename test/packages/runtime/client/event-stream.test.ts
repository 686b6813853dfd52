import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromEvents, type ServerSentEvent } from '../../../../packages/runtime/client/client.ts';
import { openStream } from './open-stream.ts';

/** Reads a stream that arrives in these chunks. */
async function read(...chunks: readonly Uint8Array[]): Promise<readonly ServerSentEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events = openStream(fromEvents('text', 'event'), body, 1000);
  const list: ServerSentEvent[] = [];
  for await (const event of events as AsyncIterable<ServerSentEvent>) list.push(event);
  return list;
}

/** Streams and their events, by the HTML standard, 9.2.6; the first four are its own examples. */
const cases: readonly (readonly [string, string, readonly ServerSentEvent[]])[] = [
  ['several lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ data: 'YHOO\n+2\n10' }]],
  [
    'comments, ids and a leading space',
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n',
    [
      { data: 'first event', id: '1' },
      { data: 'second event', id: '' },
    ],
  ],
  ['empty data', 'data\n\ndata\ndata\n\ndata:', [{ data: '' }, { data: '\n' }]],
  [
    'one space after the colon',
    'data:test\n\ndata: test\n\n',
    [{ data: 'test' }, { data: 'test' }],
  ],
  ['CR', 'data: a\rdata: b\r\rdata: c\r\r', [{ data: 'a\nb' }, { data: 'c' }]],
  ['CRLF', 'data: a\r\ndata: b\r\n\r\n', [{ data: 'a\nb' }]],
  ['mixed line ends', 'data: a\r\ndata: b\n\rdata: c\r\n\n', [{ data: 'a\nb' }, { data: 'c' }]],
  ['a byte order mark', '\uFEFFdata: a\n\n', [{ data: 'a' }]],
  ['a second byte order mark', '\uFEFF\uFEFFdata: a\n\ndata: b\n\n', [{ data: 'b' }]],
  ['a type', 'event: tick\ndata: a\n\ndata: b\n\n', [{ data: 'a', event: 'tick' }, { data: 'b' }]],
  ['a type without data', 'event: tick\n\ndata: b\n\n', [{ data: 'b' }]],
  ['the last of two types', 'event: a\nevent: b\ndata: x\n\n', [{ data: 'x', event: 'b' }]],
  [
    'an id that stays',
    'id: 1\n\ndata: a\n\ndata: b\n\n',
    [
      { data: 'a', id: '1' },
      { data: 'b', id: '1' },
    ],
  ],
  ['an id with a NUL', 'id: 1\0\ndata: a\n\n', [{ data: 'a' }]],
  [
    'retry',
    'retry: 10\ndata: a\n\nretry: 1x\ndata: b\n\n',
    [{ data: 'a', retry: 10 }, { data: 'b' }],
  ],
  ['unknown fields', 'dat: a\nData: b\n data: c\ndata: d\n\n', [{ data: 'd' }]],
  ['colons in data', 'data: a: b:c\n\n', [{ data: 'a: b:c' }]],
  [
    'other line separators',
    'data: a\u2028b\u0085c\u000Bd\n\n',
    [{ data: 'a\u2028b\u0085c\u000Bd' }],
  ],
  ['letters of several bytes', 'data: ü€𝄞\n\n', [{ data: 'ü€𝄞' }]],
  ['an event without end', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  ['nothing', '', []],
];

describe('an event stream with', () => {
  test.each(cases)('%s', async (_, text, events) => {
    const bytes = new TextEncoder().encode(text);
    expect(await read(bytes)).toEqual(events);
    expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(events);
  });
});

test('events do not depend on where chunks end', async () => {
  const line = fc.constantFrom('data: a', 'data:ü€𝄞', 'id: 1', 'event: x', ': c', 'retry: 5', '');
  const end = fc.constantFrom('\n', '\r', '\r\n');
  const lines = fc.array(fc.tuple(line, end), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat(200), { maxLength: 5 }), async (parts, cuts) => {
      const bytes = new TextEncoder().encode(parts.flat().join(''));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted(
        (left, right) => left - right,
      );
      const chunks = places.slice(1).map((place, index) => bytes.slice(places[index], place));
      expect(await read(...chunks)).toEqual(await read(bytes));
    }),
  );
});
