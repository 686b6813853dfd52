import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toDelivery } from '../../../generator/contract/delivery.ts';
import { serveWithSamples } from '../../packages/simulator/target/serve-with-samples.ts';
import { createSimulator } from '../../../packages/simulator/src/index.ts';
import { importModule, type ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { compile } from '../compile.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const pet = { $ref: '#/components/schemas/Pet' };
const answers = (content: object): object => ({ 200: { description: 'Done.', content } });
const range = (mediaType: string, schema?: unknown): object => ({
  [mediaType]: schema === undefined ? {} : { schema },
});

const document = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'https://pets.example' }],
  paths: Object.fromEntries(
    Object.entries({
      all: range('*/*', pet),
      list: range('*/*;charset=UTF-8', { type: 'array', items: pet }),
      application: range('application/*', pet),
      texts: range('text/*', { type: 'string' }),
      color: range('*/*', { $ref: '#/components/schemas/Color' }),
      file: range('*/*', { type: 'string', format: 'binary' }),
      encoded: range('*/*', { type: 'string', format: 'byte' }),
      untyped: range('*/*'),
      image: range('image/*', { type: 'string' }),
      both: {
        'application/json': { schema: { type: 'object', properties: { own: { type: 'string' } } } },
        '*/*': { schema: pet },
      },
    }).map(([operationId, content]) => [
      `/${operationId}`,
      {
        post: {
          operationId,
          requestBody: { required: true, content },
          responses: answers(content),
        },
      },
    ]),
  ),
  components: {
    schemas: {
      Pet: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer', format: 'int64' } },
      },
      Color: { type: 'string', enum: ['red', 'blue'] },
    },
  },
};

describe('a client of a contract with ranges of media types', () => {
  let generated: GeneratedClient;
  let checked: ClientModule;
  let unchecked: ClientModule;

  beforeAll(async () => {
    generated = await generateClient(await readOpenapi(document));
    checked = await importModule(generated.client);
    unchecked = await importModule(generated.client, 'unchecked');
  });
  afterAll(() => generated[Symbol.asyncDispose]());

  test.each([
    ['all', 'contract.Pet', 'contract.Pet', "'*/*'"],
    ['list', 'contract.ListRequestAny', 'contract.ListResponse200Any', "'*/*;charset=UTF-8'"],
    ['application', 'contract.Pet', 'contract.Pet', "'application/*'"],
    ['color', 'contract.Color', 'contract.Color', "'*/*'"],
    ['file', 'Blob', 'Uint8Array', "'*/*'"],
    ['encoded', 'Blob', 'Uint8Array', "'*/*'"],
    ['untyped', 'Blob', 'Uint8Array', "'*/*'"],
    ['image', 'Blob', 'Uint8Array', "'image/*'"],
  ])('types %s', async (name, body, answer, mediaType) => {
    const all = await readFile(join(generated.client, 'src/operations.ts'), 'utf8');
    const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const start = all.indexOf(`export interface ${typeName}Input `);
    const text = all.slice(start, all.indexOf(`export const ${name}:`));
    expect(text).toMatch(new RegExp(`readonly body: ${body.replace('.', String.raw`\.`)}`));
    expect(text).toContain(`Answer<200, '200', ${mediaType}, ${answer}>`);
  });

  const call = async (
    name: string,
    contentType: string | undefined,
    bytes: string | Uint8Array<ArrayBuffer>,
    { module = checked, ...options }: { readonly module?: ClientModule } & object = {},
  ): Promise<unknown> => {
    const client = module.createClient({
      invalidResponse: 'throw',
      ...options,
      fetch: async () => {
        const response = new Response(bytes, { status: 200 });
        response.headers.delete('content-type');
        if (contentType !== undefined) response.headers.set('content-type', contentType);
        return response;
      },
    });
    const body = ['color', 'texts'].includes(name)
      ? 'red'
      : name === 'list'
        ? []
        : ['all', 'application', 'both'].includes(name)
          ? {}
          : new Blob(['x']);
    try {
      return (await client[name]?.({ body }))?.body;
    } catch (error) {
      return (error as { readonly code?: string }).code;
    }
  };
  const raw = new Uint8Array([0xff, 0x00]);

  test.each([
    ['all', 'application/json', '{"name":"Rex"}', { name: 'Rex' }],
    ['all', 'Application/vnd.pets+JSON; charset=utf-8', '{"name":"Rex"}', { name: 'Rex' }],
    ['all', undefined, '{"name":"Rex"}', { name: 'Rex' }],
    ['all', 'application/json', '{"name":1}', 'invalid-response'],
    ['all', 'application/json', '{"age":12345678901234567890}', 'invalid-response'],
    ['all', 'text/html', '<p>Rex</p>', 'invalid-response'],
    ['all', 'application/pdf', raw, 'invalid-response'],
    ['list', 'application/json', '[{"name":"Rex"}]', [{ name: 'Rex' }]],
    ['application', 'application/json', '{"name":"Rex"}', { name: 'Rex' }],
    ['application', 'text/plain', 'Rex', 'unexpected-content'],
    ['texts', 'text/csv', 'Rex', 'Rex'],
    ['color', 'application/json', '"red"', 'red'],
    ['color', 'text/plain;charset=UTF-8', 'red', 'red'],
    ['color', 'application/yaml', 'red', 'red'],
    ['color', undefined, 'red', 'red'],
    ['color', 'text/plain', 'green', 'invalid-response'],
    ['color', 'application/octet-stream', raw, 'invalid-response'],
    ['file', 'application/json', '{}', new TextEncoder().encode('{}')],
    ['file', 'application/pdf', raw, raw],
    ['encoded', 'application/pdf', raw, raw],
    ['untyped', 'application/pdf', raw, raw],
    ['image', 'image/png', raw, raw],
    ['both', 'application/json', '{"own":"a"}', { own: 'a' }],
    ['both', 'application/json', '{"own":1}', 'invalid-response'],
    ['both', 'text/plain', 'Rex', 'invalid-response'],
  ] as const)('decodes %s of %s', async (name, contentType, bytes, expected) => {
    expect(await call(name, contentType, bytes)).toEqual(expected);
  });

  test('returns bytes and reports them where the caller accepts invalid responses', async () => {
    const events: object[] = [];
    const onEvent = (event: object): number => events.push(event);
    const options = { invalidResponse: 'report', onEvent };
    expect(await call('all', 'application/pdf', raw, options)).toEqual(raw);
    expect(events).toContainEqual(expect.objectContaining({ type: 'invalid-response' }));
    expect(await call('all', 'application/pdf', raw, { module: unchecked })).toEqual(raw);
    const json = '{"name":"Rex"}';
    expect(await call('all', 'text/json', json, { module: unchecked })).toEqual({ name: 'Rex' });
  });

  const sent = async (name: string, input: object): Promise<readonly unknown[]> => {
    let request: readonly unknown[] = [];
    const client = checked.createClient({
      fetch: async (url: string, init: RequestInit) => {
        const { headers, body } = init;
        request = [
          new Headers(headers).get('content-type')?.toLowerCase(),
          await new Response(body).text(),
        ];
        return new Response('{}', { headers: { 'content-type': 'application/json' } });
      },
    });
    await client[name]?.(input).catch(() => undefined);
    return request;
  };

  test.each([
    ['all', { body: { name: 'Rex' } }, 'application/json', '{"name":"Rex"}'],
    ['list', { body: [{ name: 'Rex' }] }, 'application/json', '[{"name":"Rex"}]'],
    ['application', { body: { name: 'Rex' } }, 'application/json', '{"name":"Rex"}'],
    ['both', { mediaType: '*/*', body: { name: 'Rex' } }, 'application/json', '{"name":"Rex"}'],
    ['color', { body: 'red' }, 'text/plain;charset=utf-8', 'red'],
    ['texts', { body: 'red' }, 'text/plain;charset=utf-8', 'red'],
    ['file', { body: new Blob(['x'], { type: 'text/css' }) }, 'text/css', 'x'],
    ['untyped', { body: new Uint8Array([65]) }, 'application/octet-stream', 'A'],
  ])('sends %s with %j', async (name, input, contentType, body) => {
    expect(await sent(name, input)).toEqual([contentType, body]);
  });

  test('compiles, and understands the simulator', async () => {
    const contract = await readOpenapi(document);
    const simulator = await createSimulator(serveWithSamples(contract, [{ name: 'Rex' }]));
    try {
      const client = checked.createClient({ baseUrl: simulator.url });
      for (const name of ['all', 'application'])
        await expect(client[name]?.({ body: {} }), name).resolves.toMatchObject({
          body: { name: 'Rex' },
        });
    } finally {
      await simulator.close();
    }
    await compile('ts7', generated.contract, ['-b']);
    await compileStrictly(generated.client, ['src'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
    });
  }, 60_000);
});

test('a part of a multipart body with a range has the type of its value', async () => {
  const schema = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
  const content = {
    'multipart/form-data': { schema, encoding: { file: { contentType: '*/*' } } },
  };
  await using generated = await generateClient(
    await readOpenapi({
      ...document,
      paths: {
        '/up': {
          post: { operationId: 'up', requestBody: { content }, responses: answers(range('*/*')) },
        },
      },
    }),
  );
  const { createClient } = await importModule(generated.client);
  let text = '';
  const client = createClient({
    fetch: async (_: string, init: RequestInit) => {
      text = await new Response(init.body).text();
      return new Response('');
    },
  });
  await client['up']?.({ body: { file: new Blob(['x'], { type: 'image/png' }) } });
  expect(text).toMatch(/content-type: image\/png/i);
});

test('a notification with a range of media types is delivered as JSON', async () => {
  const { notifications } = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Pets', version: '1.0.0' },
    webhooks: {
      born: {
        post: {
          requestBody: { content: { 'application/xml': {}, '*/*': { schema: pet } } },
          responses: {},
        },
      },
    },
    components: document.components,
  });
  const [born] = notifications;
  expect(born?.payload).toBe('Pet');
  expect(born && toDelivery(born).headers['content-type']).toBe('application/json');
});
