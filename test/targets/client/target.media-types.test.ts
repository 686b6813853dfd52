import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { importModule } from '../../packages/runtime/client/generated-client.ts';
import { serveWithSamples } from '../../packages/simulator/target/serve-with-samples.ts';
import { createSimulator } from '../../../packages/simulator/src/index.ts';
import { findContent } from '../../../packages/simulator/src/media-type.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const bytes = { type: 'string', format: 'binary' };
const version = (name: string): object => ({
  schema: { type: 'object', required: [name], properties: { [name]: { type: 'integer' } } },
});
const versions = {
  'application/vnd.acme+json;version=1': version('one'),
  'application/vnd.acme+json; version="2"': version('two'),
  'application/json': version('plain'),
};
const binaries = {
  'text/csv': { schema: bytes },
  'text/calendar': { schema: { $ref: '#/components/schemas/Bytes' } },
  'application/xml': { schema: bytes },
  'application/json': { schema: bytes },
  'application/x-www-form-urlencoded': { schema: bytes },
  'text/plain': { schema: { type: 'string', format: 'byte' } },
};

const contract = {
  openapi: '3.1.1',
  info: { title: 'Media types', version: '1.0.0' },
  servers: [{ url: 'https://service.example' }],
  paths: {
    '/versions': {
      get: {
        operationId: 'read',
        responses: { 200: { description: 'Done', content: versions } },
      },
    },
    '/bytes': {
      post: {
        operationId: 'exchange',
        requestBody: { required: true, content: binaries },
        responses: { 200: { description: 'Done', content: binaries } },
      },
    },
  },
  components: { schemas: { Bytes: bytes } },
};

let generated: GeneratedClient;
let call: (
  name: string,
  answer: readonly [contentType: string, body: string | Uint8Array<ArrayBuffer>],
  input?: object,
) => Promise<unknown>;
let sent: { readonly type: string | null; readonly bytes: Uint8Array } | undefined;

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(contract));
  const { createClient } = await importModule(generated.client);
  call = async (name, [contentType, body], input = {}) => {
    const client = createClient({
      invalidResponse: 'throw',
      fetch: async (request: Request | string, init?: RequestInit) => {
        const sending = new Request(request, init);
        sent = {
          type: sending.headers.get('content-type'),
          bytes: new Uint8Array(await sending.arrayBuffer()),
        };
        return new Response(body, { headers: { 'content-type': contentType } });
      },
    });
    const answer = await client[name]?.(input);
    return answer?.body;
  };
});
afterAll(() => generated[Symbol.asyncDispose]());

test('the generated code compiles under every flag', async () => {
  const options = {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  } as const;
  const compiling = compileStrictly(generated.project, ['contract/src', 'client/src'], options);
  await expect(compiling).resolves.toBeUndefined();
});

describe('the parameters of a media type take part in the choice of the declared one', () => {
  test.each([
    ['application/vnd.acme+json;version=1', { one: 1 }],
    ['application/vnd.acme+json;version=2', { two: 2 }],
    ['Application/VND.acme+json; charset=utf-8; Version="2"', { two: 2 }],
    ['application/vnd.acme+json', { one: 1 }],
    ['application/json;version=2', { plain: 3 }],
    ['application/vnd.acme+json;version=3', { plain: 3 }],
  ])('%s', async (type, body) => {
    expect(await call('read', [type, JSON.stringify(body)])).toEqual(body);
    const other = { ...body, one: 'x', two: 'x', plain: 'x' };
    await expect(call('read', [type, JSON.stringify(other)])).rejects.toMatchObject({
      code: 'invalid-response',
    });
  });
});

describe('`format: binary` is bytes under every media type', () => {
  const latin1 = Uint8Array.of(0x22, 0xe9, 0xff);

  test.each(Object.keys(binaries).filter((type) => type !== 'text/plain'))('%s', async (type) => {
    const body = await call('exchange', [type, latin1], { mediaType: type, body: latin1 });
    expect(body).toEqual(latin1);
    expect(sent).toEqual({ type, bytes: latin1 });
  });

  test('`format: byte` is the text of Base64', async () => {
    const input = { mediaType: 'text/plain', body: 'AQID' };
    expect(await call('exchange', ['text/plain', 'AQID'], input)).toBe('AQID');
  });
});

describe('the simulator follows the same data', () => {
  test.each([
    ['application/vnd.acme+json;version=2', 1],
    ['application/vnd.acme+json', 0],
    ['application/vnd.acme+json;version=3', undefined],
    ['application/json;version=3', 2],
    ['text/plain', undefined],
  ])('a body of %s', (type, index) => {
    const content = Object.keys(versions).map((mediaType) => ({ mediaType }));
    expect(findContent(content, type)).toBe(index === undefined ? undefined : content[index]);
  });

  test.each([
    ['application/vnd.acme+json;version=2', 'application/vnd.acme+json; version="2"'],
    ['application/vnd.acme+json;version=2;q=0.5, application/json;q=0.4', '/vnd.acme+json; v'],
    ['application/vnd.acme+json;q=0.1, application/json', 'application/json'],
  ])('an answer to a call that accepts %s', async (accept, type) => {
    const simulator = await createSimulator(serveWithSamples(await readOpenapi(contract), [{}]));
    onTestFinished(() => simulator.close());
    const response = await fetch(`${simulator.url}/versions`, { headers: { accept } });
    expect(response.headers.get('content-type')).toContain(type);
  });

  test.each(['text/csv', 'application/json'])('bytes of %s in both directions', async (type) => {
    const simulator = await createSimulator(serveWithSamples(await readOpenapi(contract), ['{"']));
    onTestFinished(() => simulator.close());
    const response = await fetch(`${simulator.url}/bytes`, {
      method: 'POST',
      body: Uint8Array.of(0x7b, 0xe9),
      headers: { accept: type, 'content-type': type },
    });
    expect([response.status, await response.text()]).toEqual([200, '{"']);
  });
});
