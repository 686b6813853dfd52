import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import type {
  Answer,
  CallOptions,
  ClientEvent,
} from '../../../../packages/runtime/client/client.ts';
import {
  generateClient,
  readOpenapi,
  type GeneratedClient,
} from '../../../targets/client/emit-client.ts';
import { importModule, type ClientModule } from './generated-client.ts';
import { serve, type TestServer } from './serve.ts';
import { isEveryTestRun } from '../../../some.ts';

const text = { type: 'string' };
const tick = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' } },
};
const get = (operationId: string, content: object): object => ({
  get: { operationId, responses: { 200: { description: 'Done.', content } } },
});
const ticks = { schema: { $ref: '#/components/schemas/Tick' } };

const feed = {
  openapi: '3.1.1',
  // Responses that violate the contract are errors by default.
  info: { title: 'Feed', version: '1.0.0', 'x-countersign': 1 },
  paths: {
    '/texts': get('texts', { 'text/event-stream': { schema: text } }),
    '/ticks': get('ticks', { 'text/event-stream': ticks, 'application/json': ticks }),
    '/lines': get('lines', { 'application/x-ndjson': ticks }),
    '/list': get('list', {
      'application/jsonl': { schema: { type: 'array', items: ticks.schema } },
    }),
    '/bytes': get('bytes', { 'application/octet-stream': {} }),
    '/single': get('single', { 'application/json': ticks }),
  },
  components: { schemas: { Tick: tick } },
};

/** The same items, as OpenAPI 3.2 describes them. */
const sequences = {
  openapi: '3.2.0',
  info: { title: 'Sequences', version: '1.0.0', 'x-countersign': 1 },
  paths: {
    '/ticks': get('ticks', {
      'text/event-stream': { itemSchema: { $ref: '#/components/schemas/TickEvent' } },
    }),
    '/texts': get('texts', {
      'text/event-stream': {
        itemSchema: { type: 'object', required: ['data'], properties: { data: text, event: text } },
      },
    }),
    '/lines': get('lines', { 'application/jsonl': { itemSchema: ticks.schema } }),
  },
  components: {
    schemas: {
      Tick: tick,
      TickEvent: {
        oneOf: [
          { $ref: '#/components/schemas/Ticked' },
          {
            type: 'object',
            required: ['event', 'data'],
            properties: {
              event: { const: 'end' },
              data: { type: 'string', contentMediaType: 'application/json', contentSchema: {} },
            },
          },
        ],
      },
      Ticked: {
        type: 'object',
        required: ['event', 'data'],
        properties: {
          event: { const: 'tick' },
          data: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: { $ref: '#/components/schemas/Tick' },
          },
        },
      },
    },
  },
};

let server: TestServer;
let answer: (response: ServerResponse) => void = (response) => response.end();
let ended: Promise<void>;
let generated: readonly GeneratedClient[] = [];
let feedClient: ClientModule;
let sequenceClient: ClientModule;
let events: ClientEvent[] = [];

beforeAll(async () => {
  server = await serve((_, response) => {
    ended = new Promise((resolve) => {
      response.on('close', resolve);
    });
    answer(response);
  });
  generated = await Promise.all(
    [feed, sequences].map(async (document) => generateClient(await readOpenapi(document))),
  );
  const [first, second] = await Promise.all(generated.map(({ client }) => importModule(client)));
  if (first === undefined || second === undefined) throw new Error('Nothing was generated');
  feedClient = first;
  sequenceClient = second;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const project of generated) await project[Symbol.asyncDispose]();
});
beforeEach(() => {
  events = [];
});

function open(module: ClientModule, more: object = {}): ReturnType<ClientModule['createClient']> {
  return module.createClient({
    baseUrl: server.baseUrl,
    onEvent: (event: ClientEvent) => events.push(event),
    ...more,
  });
}

async function call(
  module: ClientModule,
  name: string,
  options: CallOptions = {},
  more: object = {},
): Promise<Answer> {
  const method = open(module, more)[name];
  if (method === undefined) throw new Error(`There is no ${name}`);
  return await method({}, options);
}

/** Sends a head at once, and then each part after a moment. */
function sends(type: string, ...parts: readonly (string | Uint8Array)[]): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': type });
    response.flushHeaders();
    void (async () => {
      for (const part of parts) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        response.write(part);
      }
      response.end();
    })();
  };
}

async function all(body: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

describe('a stream of events', () => {
  test('has JSON items where its schema is not a text, and ends with [DONE]', async () => {
    sends(
      'text/event-stream',
      'data: {"n":1}\n\nid: 7\nevent: tick\nda',
      'ta: {"n":\ndata: 2}\n\n',
      'data: [DONE]\n\n',
      'data: {"n":9}\n\n',
    );
    const { body, mediaType } = await call(feedClient, 'ticks');
    expect(mediaType).toBe('text/event-stream');
    expect(await all(body)).toEqual([
      { data: { n: 1 } },
      { data: { n: 2 }, event: 'tick', id: '7' },
    ]);
  });

  test('has texts where its schema is one', async () => {
    sends('text/event-stream; charset=utf-8', 'data: [DONE]\n\ndata: 1\n\n');
    expect(await all((await call(feedClient, 'texts')).body)).toEqual([
      { data: '[DONE]' },
      { data: '1' },
    ]);
  });

  test('is one of several media types', async () => {
    sends('application/json', '{"n":1}');
    expect((await call(feedClient, 'ticks')).body).toEqual({ n: 1 });
  });

  test('has the items that OpenAPI 3.2 describes', async () => {
    sends('text/event-stream', 'event: tick\ndata: {"n":1}\n\nevent: end\ndata: null\n\n');
    expect(await all((await call(sequenceClient, 'ticks')).body)).toEqual([
      { event: 'tick', data: { n: 1 } },
      { event: 'end', data: null },
    ]);
    sends('text/event-stream', 'data: {"n":1}\n\n');
    expect(await all((await call(sequenceClient, 'texts')).body)).toEqual([{ data: '{"n":1}' }]);
  });

  test.each([
    ['of another type', 'event: stop\ndata: {"n":1}\n\n', sequenceClientOf],
    ['with other data', 'event: tick\ndata: {"n":"1"}\n\n', sequenceClientOf],
    ['with data of another type', 'data: {"n":"1"}\n\n', feedClientOf],
    ['with data that is not JSON', 'data: {"n":\n\n', feedClientOf],
  ])('refuses an event %s', async (_, sent, module) => {
    sends('text/event-stream', sent, ': more\n\n');
    const { body } = await call(module(), 'ticks');
    const failed = all(body);
    await expect(failed).rejects.toMatchObject({
      code: 'invalid-response',
      operation: 'ticks',
      status: 200,
    });
    expect(events.at(-1)).toMatchObject({ type: 'failure', code: 'invalid-response' });
    await ended;
  });

  test('refuses bytes that are not UTF-8', async () => {
    sends('text/event-stream', Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a));
    await expect(all((await call(feedClient, 'texts')).body)).rejects.toMatchObject({
      code: 'invalid-response',
    });
  });
});

describe('lines of JSON', () => {
  test.each([
    ['lines', 'application/x-ndjson'],
    ['list', 'application/jsonl'],
  ])('are items: %s', async (name, type) => {
    sends(type, '\uFEFF{"n":1}\r\n{"n"', ':2}\n\n \n{"n":3}');
    expect(await all((await call(feedClient, name)).body)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('are items that OpenAPI 3.2 describes', async () => {
    sends('application/jsonl', '{"n":1}\n');
    expect(await all((await call(sequenceClient, 'lines')).body)).toEqual([{ n: 1 }]);
  });

  test.each(['{"n":"1"}\n', '{"n":\n', '[]\n'])('are refused where one is %j', async (line) => {
    sends('application/jsonl', '{"n":1}\n', line);
    const items: unknown[] = [];
    const failed = (async () => {
      for await (const item of (await call(feedClient, 'list')).body as AsyncIterable<unknown>)
        items.push(item);
    })();
    await expect(failed).rejects.toMatchObject({ code: 'invalid-response' });
    expect(items).toEqual([{ n: 1 }]);
  });
});

/** Sends an item at once, and nothing for ever after. */
function hangs(type: string, first: string): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(first);
  };
}

const streams: readonly (readonly [string, string, string])[] = [
  ['ticks', 'text/event-stream', 'data: {"n":1}\n\n'],
  ['lines', 'application/x-ndjson', '{"n":1}\n'],
  ['bytes', 'application/octet-stream', 'first'],
];

describe.each(streams)('a stream: %s', (name, type, first) => {
  test('is not ended by the timeout of the call', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': type });
      response.write(first);
      setTimeout(() => response.end(first), 1200);
    };
    const { body } = await call(feedClient, name, { timeoutMs: 1000, stream: true });
    const items = await all(body);
    expect(items.length).toBe(2);
  });

  test('has its head within the timeout of the call', async () => {
    answer = () => undefined;
    const failed = call(feedClient, name, { timeoutMs: 100, stream: true, retry: { attempts: 1 } });
    await expect(failed).rejects.toMatchObject({ code: 'timeout' });
  });

  test('ends where the service is silent for too long', async () => {
    hangs(type, first);
    const { body } = await call(feedClient, name, { stream: true, idleTimeoutMs: 50 });
    await expect(all(body)).rejects.toMatchObject({ code: 'timeout', operation: name });
    await ended;
  });

  test('ends with the signal of its caller', async () => {
    hangs(type, first);
    const stop = new AbortController();
    const { body } = await call(feedClient, name, { stream: true, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(all(body)).rejects.toMatchObject({
      code: 'aborted',
      cause: { message: 'enough' },
    });
    await ended;
  });

  test('closes its connection where the loop is left', async () => {
    hangs(type, first);
    const { body } = await call(feedClient, name, { stream: true });
    for await (const item of body as AsyncIterable<unknown>) {
      expect(item).toBeDefined();
      break;
    }
    await ended;
  });

  test('closes its connection where it is cancelled before the first item', async () => {
    hangs(type, first);
    const { body } = await call(feedClient, name, { stream: true });
    await (body instanceof ReadableStream
      ? body.cancel()
      : (body as AsyncIterableIterator<unknown>).return?.());
    await expect(ended).resolves.toBeUndefined();
  });

  test('fails where the connection is lost', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': type });
      response.write(first);
      setTimeout(() => response.destroy(), 20);
    };
    const { body } = await call(feedClient, name, { stream: true });
    await expect(all(body)).rejects.toMatchObject({ code: 'network', operation: name });
  });

  test('is closed before the call is repeated', async () => {
    let failures = 1;
    answer = (response) => {
      const status = failures-- > 0 ? 503 : 200;
      response.writeHead(status, { 'content-type': type, connection: 'close' }).end(first);
    };
    const { status } = await call(feedClient, name, { stream: true, retry: { firstDelayMs: 1 } });
    expect(status).toBe(200);
  });
});

test('bytes are read to their end where the call does not ask for a stream', async () => {
  sends('application/octet-stream', 'a', 'b');
  expect((await call(feedClient, 'bytes')).body).toEqual(new TextEncoder().encode('ab'));
});

test('a stream of bytes reads no more than its reader takes', async () => {
  let sent = 0;
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    const write = (): void => {
      if (response.destroyed) return;
      sent += 65_536;
      if (response.write(Buffer.alloc(65_536))) setImmediate(write);
      else response.once('drain', write);
    };
    write();
  };
  const { body } = await call(feedClient, 'bytes', { stream: true, maxResponseBytes: 1000 });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let read = 0;
  while (read < 1_000_000) read += (await reader.read()).value?.length ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 100));
  // What sockets hold besides is a few megabytes.
  expect(sent).toBeLessThan(read + 32_000_000);
  await reader.cancel();
  await ended;
});

describe('an answer that is too large', () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000), { level: 9 });

  test('is refused while it is decompressed', async () => {
    answer = (response) => {
      response
        .writeHead(200, { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' })
        .end(bomb);
    };
    expect(bomb.length).toBeLessThan(100_000);
    const failed = call(feedClient, 'bytes', {}, { maxResponseBytes: 1_000_000 });
    await expect(failed).rejects.toMatchObject({ code: 'response-too-large', operation: 'bytes' });
    expect(events.filter(({ type }) => type === 'request')).toHaveLength(1);
    expect((await call(feedClient, 'bytes')).body).toHaveLength(20_000_000);
  });

  test.runIf(isEveryTestRun)('is refused by its default of 64 MiB', async () => {
    const mebibyte = gzipSync(Buffer.alloc(1 << 20));
    answer = (response) => {
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-encoding': 'gzip',
      });
      response.end(Buffer.concat(Array.from({ length: 65 }, () => mebibyte)));
    };
    await expect(call(feedClient, 'bytes')).rejects.toMatchObject({ code: 'response-too-large' });
  });

  test('is refused where it never ends, and its connection is closed', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    };
    const failed = call(feedClient, 'single', { maxResponseBytes: 50_000 });
    await expect(failed).rejects.toMatchObject({ code: 'response-too-large' });
    await ended;
  });

  test('has the limit exactly', async () => {
    sends('application/json', '{"n":1}');
    expect((await call(feedClient, 'single', { maxResponseBytes: 7 })).body).toEqual({ n: 1 });
    await expect(call(feedClient, 'single', { maxResponseBytes: 6 })).rejects.toMatchObject({
      code: 'response-too-large',
    });
  });

  test.each([
    ['ticks', 'text/event-stream', 'data: {"n":1}\n\n', `data: ${' '.repeat(90)}`],
    ['ticks', 'text/event-stream', 'data: {"n":1}\n\n', 'data: 1\n'.repeat(60)],
    ['lines', 'application/x-ndjson', '{"n":1}\n', ' '.repeat(120)],
  ])('is an item of a stream, and not the stream: %s', async (name, type, item, large) => {
    sends(type, item.repeat(50));
    expect(await all((await call(feedClient, name, { maxResponseBytes: 100 })).body)).toHaveLength(
      50,
    );
    sends(type, item, large, large);
    const failed = all((await call(feedClient, name, { maxResponseBytes: 100 })).body);
    await expect(failed).rejects.toMatchObject({ code: 'response-too-large' });
  });
});

describe('the limit of an item', () => {
  const limit = { maxResponseBytes: 20 };
  const line = (size: number): string => JSON.stringify({ n: 1, s: 'x'.repeat(size - 14) });

  test.each([
    ['lines', 'application/x-ndjson', `${line(20)}\n`, 1],
    ['lines', 'application/x-ndjson', `${line(20)}\n${line(20)}`, 2],
    ['texts', 'text/event-stream', `data: ${'x'.repeat(20)}\nevent: e\n\n`, 1],
    ['texts', 'text/event-stream', `data: ${'é'.repeat(10)}\r\n\r\n`, 1],
    ['texts', 'text/event-stream', `data:${'x'.repeat(9)}\ndata: ${'x'.repeat(10)}\n\n`, 1],
  ])('is reached in one chunk by %s of %s: %j', async (name, type, sent, count) => {
    sends(type, sent);
    expect(await all((await call(feedClient, name, limit)).body)).toHaveLength(count);
  });

  test.each([
    ['a whole line', 'lines', 'application/x-ndjson', `${line(21)}\n`],
    ['a whole event', 'texts', 'text/event-stream', `data: ${'x'.repeat(21)}\n\n`],
    ['two lines of data', 'texts', 'text/event-stream', `data: ${'x'.repeat(10)}\n`.repeat(2)],
    ['bytes, not characters', 'texts', 'text/event-stream', `data: ${'é'.repeat(11)}\n\n`],
    ['surrogate pairs', 'lines', 'application/x-ndjson', `{"n":1,"s":"😀😀"}\n`],
    ['the last line', 'lines', 'application/x-ndjson', line(21)],
  ])('is exceeded in one chunk by %s', async (_, name, type, sent) => {
    sends(type, sent);
    const failed = all((await call(feedClient, name, limit)).body);
    await expect(failed).rejects.toMatchObject({ code: 'response-too-large' });
  });
});

describe('an answer that violates its schema', () => {
  const wrong = '{"n":"1"}';

  test.each([
    ['single', 'application/json', wrong],
    ['lines', 'application/x-ndjson', `${wrong}\n`],
    ['ticks', 'text/event-stream', `data: ${wrong}\n\n`],
  ])('is thrown, reported or ignored: %s', async (name, type, sent) => {
    const read = async (invalidResponse: string | undefined): Promise<unknown> => {
      events = [];
      sends(type, sent);
      const options = invalidResponse === undefined ? {} : { invalidResponse };
      const { body } = await call(feedClient, name, {}, options);
      const [item] = name === 'single' ? [body] : await all(body);
      return name === 'ticks' ? (item as { data: unknown }).data : item;
    };
    const reports = (): readonly ClientEvent[] =>
      events.filter((event) => event.type === 'invalid-response');
    for (const word of [undefined, 'throw']) {
      await expect(read(word)).rejects.toMatchObject({
        code: 'invalid-response',
        cause: { name: 'ValidationError' },
      });
      expect(reports()).toEqual([]);
    }
    expect(await read('report')).toEqual({ n: '1' });
    expect(reports()).toMatchObject([
      { operation: name, status: 200, attempt: 1, cause: { name: 'ValidationError' } },
    ]);
    expect(JSON.stringify(reports())).not.toContain(wrong);
    expect(await read('ignore')).toEqual({ n: '1' });
    expect(reports()).toEqual([]);
  });

  test('is still an error where it cannot be read', async () => {
    sends('application/json', '{"n":');
    await expect(
      call(feedClient, 'single', {}, { invalidResponse: 'ignore' }),
    ).rejects.toMatchObject({
      code: 'invalid-response',
    });
  });
});

test.each(['audio/mpeg', 'application/pdf', 'application/zip', 'image/png', 'application/vnd.x'])(
  'bytes of the type %s are accepted where the contract says application/octet-stream',
  async (type) => {
    answer = (response) => response.writeHead(200, { 'content-type': type }).end(Buffer.of(1, 255));
    expect(await call(feedClient, 'bytes')).toMatchObject({
      mediaType: 'application/octet-stream',
      body: Uint8Array.of(1, 255),
    });
  },
);

test.each([
  'application/json',
  'application/problem+json',
  'text/html',
  'application/xml',
  'application/x-ndjson',
])('a text of the type %s is not taken for bytes', async (type) => {
  answer = (response) => response.writeHead(200, { 'content-type': type }).end('{}');
  await expect(call(feedClient, 'bytes')).rejects.toMatchObject({ code: 'unexpected-content' });
});

function feedClientOf(): ClientModule {
  return feedClient;
}

function sequenceClientOf(): ClientModule {
  return sequenceClient;
}
