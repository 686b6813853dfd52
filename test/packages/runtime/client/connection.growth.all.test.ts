import { expectLinear } from '../../../counted-work.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  generateClient,
  readOpenapi,
  type GeneratedClient,
} from '../../../targets/client/emit-client.ts';
import { importModule, type ClientModule } from './generated-client.ts';

const content = (mediaType: string, schema: object): object => ({
  content: { [mediaType]: { schema } },
});
const get = (operationId: string, answer: object): object => ({
  get: {
    operationId,
    security: operationId === 'guarded' ? [{ oauth: [] }] : [],
    responses: {
      200: { description: 'Done.', ...answer },
      400: { description: 'Failed.', ...content('application/json', {}) },
    },
  },
});

const document = {
  openapi: '3.1.1',
  info: { title: 'Answers', version: '1.0.0' },
  servers: [{ url: 'https://api.answers.example' }],
  paths: {
    '/json': get('json', {
      headers: {
        'x-list': { schema: { type: 'array', items: { type: 'integer' } } },
        'x-number': { schema: { type: 'number' } },
        'x-json': { content: { 'application/json': { schema: {} } } },
      },
      ...content('application/json', {}),
    }),
    '/text': get('text', content('text/plain', { type: 'string' })),
    '/events': get('events', content('text/event-stream', { type: 'string' })),
    '/lines': get('lines', content('application/x-ndjson', {})),
    '/guarded': get('guarded', content('application/json', {})),
  },
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://login.answers.example/token', scopes: {} },
        },
      },
    },
  },
};

let generated: GeneratedClient;
let module: ClientModule;
beforeAll(async () => {
  generated = await generateClient(await readOpenapi(document));
  module = await importModule(generated.client);
});
afterAll(() => generated[Symbol.asyncDispose]());

/** An answer of a size. */
type Write = (size: number) => {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** The size of the chunks that arrive; default all bytes at once. */
  readonly chunk?: number;
};

function toResponse({ body, headers = {}, status = 200, chunk }: ReturnType<Write>): Response {
  const bytes = new TextEncoder().encode(body);
  const size = chunk ?? bytes.length;
  let start = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (start < bytes.length) controller.enqueue(bytes.subarray(start, start + size));
      else controller.close();
      start += size;
    },
  });
  return new Response(stream, { status, headers });
}

/** Calls an operation, reads its answer to the end, and returns how it ended. */
async function call(
  operation: string,
  write: Write,
  size: number,
  options: object = {},
): Promise<string> {
  const client = module.createClient({
    credentials: { oauth: { clientId: 'shop', clientSecret: 'secret' } },
    maxResponseBytes: 2 ** 30,
    retry: { attempts: 1 },
    onEvent: () => undefined,
    fetch: async (url: string) =>
      await Promise.resolve(
        operation === 'guarded' && !url.includes('login')
          ? Response.json({})
          : toResponse(write(size)),
      ),
    ...options,
  });
  try {
    const answer: unknown = await client[operation]?.();
    const { body } = answer as { readonly body: unknown };
    if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
      for await (const item of body as AsyncIterable<unknown>) expect(item).toBeDefined();
    return 'read';
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
}

const list = (size: number, write: (index: number) => string, separator = ','): string =>
  Array.from({ length: size }, (_, index) => write(index)).join(separator);
const ofType = (type: string): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: { 'content-type': type },
});
const json = ofType('application/json');

const bodies: readonly (readonly [what: string, write: Write])[] = [
  ['members', (n) => ({ ...json, body: `{${list(n, (index) => `"m${index}":${index}`)}}` })],
  ['repeated members', (n) => ({ ...json, body: `{${list(n, () => '"m":1')}}` })],
  ['objects', (n) => ({ ...json, body: `[${list(n, (index) => `{"id":"${index}"}`)}]` })],
  ['levels', (n) => ({ ...json, body: '['.repeat(n) + ']'.repeat(n) })],
  ['levels without an end', (n) => ({ ...json, body: '{"a":'.repeat(n) })],
  ['digits', (n) => ({ ...json, body: `[${'9'.repeat(n)}]` })],
  ['inexact numbers', (n) => ({ ...json, body: `[${list(n, () => '0.1234567890123456789')}]` })],
  ['escapes', (n) => ({ ...json, body: `"${String.raw`\u00e9\\`.repeat(n)}"` })],
  ['white space', (n) => ({ ...json, body: `${' '.repeat(n)}1` })],
  ['single bytes', (n) => ({ ...json, body: `[${list(n, () => '1')}]`, chunk: 1 })],
  ['text that is not JSON', (n) => ({ ...json, body: 'x'.repeat(n) })],
  ['a failure', (n) => ({ ...json, status: 400, body: `[${list(n, () => '{"a":1}')}]` })],
  ['an undeclared status', (n) => ({ ...json, status: 418, body: 'x'.repeat(n) })],
];

const headers: readonly (readonly [what: string, write: Write])[] = [
  [
    'headers',
    (n) => ({
      body: '{}',
      headers: {
        ...json.headers,
        ...Object.fromEntries(Array.from({ length: n }, (_, index) => [`x-${index}`, 'a'])),
      },
    }),
  ],
  [
    'items of a header',
    (n) => ({ body: '{}', headers: { ...json.headers, 'x-list': list(n, () => '1') } }),
  ],
  [
    'digits of a header',
    (n) => ({ body: '{}', headers: { ...json.headers, 'x-number': '9'.repeat(n) } }),
  ],
  [
    'JSON of a header',
    (n) => ({ body: '{}', headers: { ...json.headers, 'x-json': `[${list(n, () => '1')}]` } }),
  ],
  [
    'parameters of a media type',
    (n) => ({ body: '{}', ...ofType(`application/json${list(n, () => ';a=b', '')}`) }),
  ],
  [
    'spaces of a media type',
    (n) => ({ body: '{}', ...ofType(`application/json;${' '.repeat(n)}a`) }),
  ],
  ['a location', (n) => ({ body: '', status: 302, headers: { location: `/${'a'.repeat(n)}` } })],
  ['a pause', (n) => ({ body: '', status: 503, headers: { 'retry-after': '9'.repeat(n) } })],
];

const plain = ofType('text/plain');
const charsets: readonly (readonly [what: string, write: Write])[] = [
  ['text', (n) => ({ ...plain, body: 'é'.repeat(n) })],
  ['UTF-16', (n) => ({ ...ofType('text/plain; charset=utf-16le'), body: 'ab'.repeat(n) })],
  [
    'charsets',
    (n) => ({ ...ofType(`text/plain${list(n, () => '; charset=latin1', '')}`), body: 'a' }),
  ],
  ['a long charset', (n) => ({ ...ofType(`text/plain; charset=${'a'.repeat(n)}`), body: 'a' })],
  [
    'spaces before a charset',
    (n) => ({ ...ofType(`text/plain;${' '.repeat(n)}charset${' '.repeat(n)}x`), body: 'a' }),
  ],
];

const stream = ofType('text/event-stream');
const streams: readonly (readonly [what: string, write: Write])[] = [
  ['events', (n) => ({ ...stream, body: 'data: a\n\n'.repeat(n) })],
  ['lines of an event', (n) => ({ ...stream, body: `${'data: a\n'.repeat(n)}\n` })],
  ['a long line', (n) => ({ ...stream, body: `data: ${'a'.repeat(n)}\n\n` })],
  ['a line in single bytes', (n) => ({ ...stream, body: `data: ${'a'.repeat(n)}\n\n`, chunk: 1 })],
  ['comments', (n) => ({ ...stream, body: ': a\n'.repeat(n) })],
  ['a line of colons', (n) => ({ ...stream, body: `${':'.repeat(n)}\n` })],
  ['ids', (n) => ({ ...stream, body: 'id: a\n'.repeat(n) })],
  ['empty lines', (n) => ({ ...stream, body: '\r\n'.repeat(n) })],
  ['digits of a pause', (n) => ({ ...stream, body: `retry: ${'9'.repeat(n)}\ndata: a\n\n` })],
  ['an event without an end', (n) => ({ ...stream, body: 'data: a\n'.repeat(n) })],
];

const lines = ofType('application/x-ndjson');
const jsonLines: readonly (readonly [what: string, write: Write])[] = [
  ['lines', (n) => ({ ...lines, body: '{"a":1}\n'.repeat(n) })],
  ['blank lines', (n) => ({ ...lines, body: ' \n'.repeat(n) })],
  ['a line in single bytes', (n) => ({ ...lines, body: `[${list(n, () => '1')}]\n`, chunk: 1 })],
];

const tokens: readonly (readonly [what: string, write: Write])[] = [
  [
    'a long token',
    (n) => ({ ...json, body: `{"access_token":"${'a'.repeat(n)}","token_type":"Bearer"}` }),
  ],
  [
    'a token with white space',
    (n) => ({ ...json, body: `{"access_token":"a${' '.repeat(n)}b","token_type":"Bearer"}` }),
  ],
  [
    'a long lifetime',
    (n) => ({
      ...json,
      body: `{"access_token":"a","token_type":"Bearer","expires_in":"${'9'.repeat(n)}"}`,
    }),
  ],
  [
    'members beside it',
    (n) => ({
      ...json,
      body: `{"access_token":"a","token_type":"Bearer",${list(n, (index) => `"m${index}":1`)}}`,
    }),
  ],
  [
    'a refusal',
    (n) => ({
      ...json,
      status: 400,
      body: `{"error":"${'x'.repeat(n)}","error_description":"${'y'.repeat(n)}"}`,
    }),
  ],
  ['text that is not JSON', (n) => ({ body: 'x'.repeat(n), status: 500 })],
];

describe('twice the answer costs at most 2.5 times the work of a client', () => {
  test.each([...bodies, ...headers])('JSON and headers: %s', async (_, write) => {
    await expectLinear((size) => call('json', write, size), 1000);
  });

  test.each(bodies)('numbers as texts: %s', async (_, write) => {
    await expectLinear((size) => call('json', write, size, { numbers: 'text' }), 1000);
  });

  test.each(charsets)('texts: %s', async (_, write) => {
    await expectLinear((size) => call('text', write, size), 1000);
  });

  test.each(streams)('events: %s', async (_, write) => {
    await expectLinear((size) => call('events', write, size, { stream: true }), 1000);
  });

  test.each(jsonLines)('lines: %s', async (_, write) => {
    await expectLinear((size) => call('lines', write, size, { stream: true }), 1000);
  });

  test.each(tokens)('tokens: %s', async (_, write) => {
    await expectLinear((size) => call('guarded', write, size), 1000);
  });
});
