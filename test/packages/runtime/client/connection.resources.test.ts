import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  accessToken,
  ClientError,
  fromBinary,
  fromEvents,
  fromJson,
  fromLines,
  type Operation,
  type ConnectionOptions,
  type OperationData,
  type StreamDecoder,
} from '../../../../packages/runtime/client/client.ts';
import { readBody } from '../../../../packages/runtime/client/request.ts';
import { openStream } from './open-stream.ts';
import { connect, type RequestingConnection } from './connect.ts';

/** The timers that are neither cleared nor over. */
const timers = new Set<unknown>();

beforeEach(() => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  timers.clear();
  vi.stubGlobal('setTimeout', (run: () => void, milliseconds: number) => {
    const timer = set(() => {
      timers.delete(timer);
      run();
    }, milliseconds);
    timers.add(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: ReturnType<typeof setTimeout> | undefined) => {
    timers.delete(timer);
    clear(timer);
  });
  // Their timers cannot be cleared.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    throw new Error('AbortSignal.timeout was called.');
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const issueToken: OperationData = {
  id: 'issueToken',
  method: 'POST',
  path: '/token',
  security: [],
  responses: { '200': { 'application/json': fromJson } },
};

function client(fetch: NonNullable<ConnectionOptions['fetch']>): RequestingConnection {
  return connect(
    {
      baseUrl: 'https://service.example',
      retry: { firstDelayMs: 1 },
      tokenStore: new Map(),
      tokenStoreKey: 'a',
      fetch: async (url, init) =>
        url.endsWith('/token') ? Response.json({ token: 'a' }) : await fetch(url, init),
    },
    {
      everyRequest: [],
      schemes: {
        token: accessToken(
          { operation: issueToken, token: { body: ['token'] }, value: '{token}' },
          true,
        ),
      },
      security: [['token']],
    },
  );
}

const lines: Operation = {
  id: 'lines',
  method: 'GET',
  path: '/lines',
  responses: { '2XX': { 'application/jsonl': fromLines } },
};

const jsonl = { headers: { 'content-type': 'application/jsonl' } };

/** A `fetch` that never ends unless its signal is aborted. */
const hang = async (_: string, { signal }: RequestInit): Promise<Response> =>
  await new Promise((__, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });

/** A body that never ends. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('1\n')),
  });

/** Returns the items of a stream that ends. */
async function all(body: unknown): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

let attempts = 0;

const calls: readonly (readonly [string, (signal: AbortSignal) => Promise<unknown>])[] = [
  [
    'a response',
    async (signal) =>
      await client(async () => Response.json({})).request('GET', '/a', {}, { signal }),
  ],
  [
    'an undeclared status',
    async (signal) =>
      await client(async () => new Response('', { status: 400 })).request(
        'GET',
        '/a',
        {},
        { signal },
      ),
  ],
  ['invalid input', async (signal) => await client(hang).request('GET', '/{a}', {}, { signal })],
  [
    'a lost connection',
    async (signal) =>
      await client(async () => {
        throw new Error('fetch failed');
      }).request('GET', '/a', {}, { signal }),
  ],
  [
    'a repetition',
    async (signal) =>
      await client(
        async () => new Response('', { status: (attempts += 1) % 2 === 0 ? 200 : 503 }),
      ).request('GET', '/a', {}, { signal }),
  ],
  [
    'an attempt that is too slow',
    async (signal) => await client(hang).request('GET', '/a', {}, { signal, attemptTimeoutMs: 1 }),
  ],
  [
    'a call that is too slow',
    async (signal) => await client(hang).request('GET', '/a', {}, { signal, timeoutMs: 1 }),
  ],
  [
    'a body that is too slow',
    async (signal) =>
      await client(async () => new Response(endless())).request(
        'GET',
        '/a',
        {},
        { signal, timeoutMs: 5 },
      ),
  ],
  [
    'a stream that is read to its end',
    async (signal) => {
      const { body } = await client(async () => new Response('1\n2\n', jsonl)).call(
        lines,
        {},
        { signal },
      );
      expect(await all(body)).toEqual([1, 2]);
    },
  ],
  [
    'a stream that its reader leaves',
    async (signal) => {
      const { body } = await client(async () => new Response(endless(), jsonl)).call(
        lines,
        {},
        { signal },
      );
      const reader = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      expect(await reader.next()).toEqual({ done: false, value: 1 });
      await reader.return?.();
    },
  ],
  [
    'a stream that is idle',
    async (signal) => {
      const { body } = await client(async () => new Response(endless(), jsonl)).call(
        lines,
        {},
        { signal, idleTimeoutMs: 5 },
      );
      const reader = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
      expect(await reader.next()).toEqual({ done: false, value: 1 });
      await expect(reader.next()).rejects.toMatchObject({ code: 'timeout' });
    },
  ],
  [
    'a stream without a reader',
    async (signal) =>
      await client(async () => new Response(endless(), jsonl)).call(lines, {}, { signal }),
  ],
];

describe('no timer and no listener is left after', () => {
  test.each(calls)('%s', async (_, call) => {
    const { signal } = new AbortController();
    await call(signal).catch((error: unknown) => expect(error).toBeInstanceOf(ClientError));
    expect(timers.size).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each(['an attempt', 'a wait', 'a stream'])('%s that the caller aborts', async (when) => {
    const controller = new AbortController();
    const { signal } = controller;
    const busy = async (): Promise<Response> =>
      new Response('', { status: 503, headers: { 'retry-after': '9' } });
    const stream = async (): Promise<void> => {
      const { body } = await client(async () => new Response(endless(), jsonl)).call(
        lines,
        {},
        { signal },
      );
      await all(body);
    };
    const failed =
      when === 'a stream'
        ? stream()
        : client(when === 'a wait' ? busy : hang).request('GET', '/a', {}, { signal });
    setImmediate(() => setImmediate(() => controller.abort()));
    await expect(failed).rejects.toMatchObject({ code: 'aborted' });
    expect(timers.size).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('a hundred parallel calls with one signal', async () => {
    const { signal } = new AbortController();
    const connection = client(async () => Response.json({}));
    await Promise.all(
      Array.from(
        { length: 100 },
        async () => await connection.request('GET', '/a', {}, { signal }),
      ),
    );
    expect(timers.size).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a fetch that ignores its signal', () => {
  test('has its body cancelled when the call is over', async () => {
    const cancel = vi.fn();
    const controller = new AbortController();
    const { signal } = controller;
    const body = new ReadableStream(
      { cancel, pull: () => controller.abort() },
      { highWaterMark: 0 },
    );
    await expect(
      client(async () => new Response(body)).request('GET', '/a', {}, { signal }),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(cancel).toHaveBeenCalledOnce();
  });

  test('has a late response cancelled', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const cancelled = Promise.withResolvers<void>();
    const respond = Promise.withResolvers<Response>();
    const fetch = async (): Promise<Response> => {
      controller.abort();
      return await respond.promise;
    };
    await expect(client(fetch).request('GET', '/a', {}, { signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    respond.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
    await cancelled.promise;
  });
});

const size = 20_000;

/** Counts the chunks of a body that the garbage collector could not free: those with a reference from elsewhere. */
function byteByByte(text: string): {
  readonly body: ReadableStream<Uint8Array>;
  readonly reused: Uint8Array;
} {
  // One array for all chunks, as a pool of buffers has it: only a copy of its byte keeps the value.
  const reused = new Uint8Array(1);
  const bytes = new TextEncoder().encode(text);
  let index = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (index === bytes.length) controller.close();
        else {
          reused[0] = bytes[index++] ?? 0;
          controller.enqueue(reused);
        }
      },
    },
    { highWaterMark: 0 },
  );
  return { body, reused };
}

async function itemsOf(decoder: StreamDecoder, text: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const stream = openStream(decoder, byteByByte(text).body, 1_000_000);
  for await (const item of stream as AsyncIterable<unknown>) items.push(item);
  return items;
}

describe('chunks of one byte are not kept', () => {
  const text = 'a'.repeat(size - 1) + 'b';

  test('while a body is read', async () => {
    const bytes = await readBody(byteByByte(text).body, size, new AbortController().signal);
    expect(new TextDecoder().decode(bytes)).toBe(text);
    expect(bytes?.buffer.byteLength).toBe(size);
  });

  test('while a line is read', async () => {
    expect(await itemsOf(fromLines, `"${text}"\n"${text}"`)).toEqual([text, text]);
  });

  test('while an event is read', async () => {
    const sent = `data: ${text}\ndata: ${text}\n\n`;
    expect(await itemsOf(fromEvents('text', 'data'), sent)).toEqual([{ data: `${text}\n${text}` }]);
  });

  test('and empty chunks do not count', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let index = 0; index < 100; index++) controller.enqueue(new Uint8Array(0));
        controller.enqueue(new Uint8Array([1]));
        controller.close();
      },
    });
    expect(await readBody(body, 1, new AbortController().signal)).toEqual(new Uint8Array([1]));
  });
});

test('an event of many short lines of data is joined in blocks', async () => {
  const joins = vi.spyOn(Array.prototype, 'join');
  const [event] = await itemsOf(fromEvents('text', 'data'), `${'data\n'.repeat(5000)}\n`);
  const longest = Math.max(...joins.mock.contexts.map((lines) => (lines as unknown[]).length));
  expect(event).toEqual({ data: '\n'.repeat(4999) });
  expect(longest).toBeLessThanOrEqual(1100);
});

test('a stream of bytes is passed on unchanged', async () => {
  const stream = openStream(fromBinary, new Blob(['abc']).stream(), 1);
  expect(await new Response(stream as ReadableStream).text()).toBe('abc');
});

describe('a body that is a stream', () => {
  /** A stream that gives one chunk and then nothing, and a function that returns how often it was cancelled. */
  function unfinished(): { readonly body: ReadableStream; readonly cancelled: () => number } {
    let count = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(8)),
      pull: () => new Promise<void>(() => undefined),
      cancel() {
        count += 1;
      },
    });
    return { body, cancelled: () => count };
  }
  const answer = vi.fn(async () => Response.json({}));

  test.each([
    ['timeoutMs', () => ({ timeoutMs: 50 }), 'timeout'],
    [
      'its signal',
      () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 50);
        return { signal: controller.signal };
      },
      'aborted',
    ],
  ])('and never ends is cancelled by %s, and nothing is sent', async (_, options, code) => {
    answer.mockClear();
    const { body, cancelled } = unfinished();
    const call = client(answer).request('POST', '/a', { body }, options());
    await expect(call).rejects.toMatchObject({ code });
    expect(cancelled()).toBe(1);
    expect(answer).not.toHaveBeenCalled();
  });

  test('and fails is an error of the input', async () => {
    answer.mockClear();
    const body = new ReadableStream({
      pull() {
        throw new RangeError('secret');
      },
    });
    await expect(client(answer).request('POST', '/a', { body })).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The body cannot be encoded.',
    });
    expect(answer).not.toHaveBeenCalled();
  });

  test('is sent as its bytes', async () => {
    const bodies: (RequestInit['body'] | undefined)[] = [];
    const fetch = async (url: string, { body }: RequestInit): Promise<Response> => {
      if (url.endsWith('/a')) bodies.push(body);
      return Response.json({});
    };
    const body = new Blob(['ab', 'cd']).stream();
    await client(fetch).request('POST', '/a', { body });
    expect(bodies).toEqual([new TextEncoder().encode('abcd')]);
  });
});
