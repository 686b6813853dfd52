import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { part } from '../../../packages/runtime/client/client.ts';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { compile } from '../compile.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const order = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const content = {
  'application/json': { schema: { $ref: '#/components/schemas/Order' } },
  'text/plain': { schema: { type: 'string' } },
};
const responses = { 204: { description: 'Done.' } };
const header = { name: 'x-id', in: 'header', required: true, schema: { type: 'string' } };

const file = { type: 'string', format: 'binary' };
const files = { type: 'array', items: file };
const text = { type: 'string' };
const upload = (operationId: string, schema: object, encoding: object = {}): object => ({
  post: {
    operationId,
    requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } },
    responses,
  },
});
const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const uploads = {
  '/properties': upload('sendProperties', {
    type: 'object',
    required: ['one'],
    properties: {
      one: { anyOf: [file, files] },
      named: reference('FileOrText'),
      listed: { type: 'array', items: reference('FileOrText') },
      orNull: { anyOf: [file, { type: 'null' }] },
      typed: { type: ['string', 'null'], format: 'binary' },
      note: text,
    },
  }),
  '/either': upload(
    'sendEither',
    {
      oneOf: [
        reference('ByFile'),
        { type: 'object', required: ['url'], properties: { url: text } },
      ],
    },
    { photo: { contentType: 'image/png, image/jpeg' } },
  ),
  '/part': upload('sendPart', {
    allOf: [
      { type: 'object', required: ['title'], properties: { title: text } },
      { anyOf: [reference('ByFile'), { type: 'object', properties: { pages: files } }] },
    ],
  }),
  '/open': upload('sendOpen', { type: 'object', additionalProperties: file }),
  '/typed': upload(
    'sendTyped',
    {
      type: 'object',
      properties: { photo: file, any: file, table: text, data: { type: 'object' }, rows: text },
    },
    {
      photo: { contentType: 'image/png, image/*;q=1' },
      any: { contentType: 'image/*' },
      table: { contentType: 'text/csv, text/tab-separated-values' },
      data: { contentType: 'application/xml, application/json' },
      rows: { contentType: 'text/csv; charset=utf-8' },
    },
  ),
};

const document = {
  openapi: '3.1.1',
  info: { title: 'Bodies', version: '1.0.0' },
  servers: [{ url: 'https://api.example' }],
  paths: {
    '/several': {
      post: { operationId: 'sendSeveral', requestBody: { content }, responses },
      put: {
        operationId: 'sendWithHeader',
        parameters: [header],
        requestBody: { content },
        responses,
      },
      patch: { operationId: 'sendOne', requestBody: { required: true, content }, responses },
    },
    '/state': {
      put: {
        operationId: 'setState',
        requestBody: {
          required: true,
          content: {
            'text/plain': { schema: { type: 'string', enum: ['on', 'off'] } },
            'application/xml': { schema: { $ref: '#/components/schemas/Order' } },
          },
        },
        responses,
      },
    },
    ...uploads,
  },
  components: {
    schemas: {
      Order: order,
      FileOrText: { oneOf: [reference('File'), text] },
      File: file,
      ByFile: { type: 'object', required: ['photo'], properties: { photo: reference('File') } },
    },
  },
};

const use = `
import { createClient, createConnection, sendSeveral } from '@trade/client';

const client = createClient({});
await client.sendSeveral();
await client.sendSeveral({});
await client.sendSeveral({ body: { id: 'a' } });
await client.sendSeveral({ mediaType: 'text/plain', body: 'a' });
await client.request('POST', '/several');
await sendSeveral(createConnection({}));
// @ts-expect-error -- a media type that is not the first needs its body
await client.sendSeveral({ mediaType: 'text/plain' });
// @ts-expect-error -- the header is required
await client.sendWithHeader();
// @ts-expect-error -- the header is required
await client.sendWithHeader({ mediaType: 'text/plain', body: 'a' });
await client.sendWithHeader({ headers: { 'x-id': '1' } });
// @ts-expect-error -- the body is required
await client.sendOne();
// @ts-expect-error -- the body is required
await client.sendOne({});
await client.setState({ body: 'on' });
await client.setState({ mediaType: 'application/xml', body: '<order/>' });
// @ts-expect-error -- the schema does not list this text
await client.setState({ body: 'other' });
`;

const fileUse = `
import { createClient, part } from '@trade/client';

const client = createClient({});
const blob = new Blob(['a'], { type: 'image/jpeg' });
const bytes = new Uint8Array(1);
await client.sendProperties({ body: { one: blob, named: bytes, listed: [blob, 'a', part(bytes)] } });
await client.sendProperties({ body: { one: [blob, part(bytes)], orNull: null, typed: null } });
await client.sendProperties({ body: { one: part(bytes), orNull: blob, typed: bytes, named: 'a' } });
// @ts-expect-error -- a file is not a text
await client.sendProperties({ body: { one: 'a' } });
// @ts-expect-error -- nor in a list
await client.sendProperties({ body: { one: ['a'] } });
// @ts-expect-error -- nor beside null
await client.sendProperties({ body: { one: blob, typed: 'a' } });
await client.sendEither({ body: { photo: blob } });
await client.sendEither({ body: { photo: part(bytes, { mediaType: 'image/png' }) } });
await client.sendEither({ body: { url: 'https://a.example' } });
// @ts-expect-error -- a photo is not a text
await client.sendEither({ body: { photo: 'a' } });
await client.sendPart({ body: { title: 'a', photo: blob } });
await client.sendPart({ body: { title: 'a', pages: [bytes] } });
// @ts-expect-error -- a page is not a text
await client.sendPart({ body: { title: 'a', pages: ['a'] } });
await client.sendOpen({ body: { any: blob, other: bytes } });
// @ts-expect-error -- all properties are files
await client.sendOpen({ body: { any: 'a' } });
`;

let generated: GeneratedClient;

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(document), { built: true });
  await compile('ts7', generated.contract, ['-b']);
  await compile('ts7', generated.client, ['-b']);
});
afterAll(() => generated[Symbol.asyncDispose]());

test('an optional body with several media types needs no input', async () => {
  await writeFile(join(generated.project, 'use.ts'), use);
  const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
  await compileStrictly(generated.project, ['use.ts'], options);
  expect(use).toContain('client.sendSeveral()');
});

test('files in alternatives, in lists, beside null and in alternative bodies have the type of bytes', async () => {
  await writeFile(join(generated.project, 'files.ts'), fileUse);
  const options = { compiler: 'ts7', resolution: 'nodenext', from: 'built' } as const;
  await compileStrictly(generated.project, ['files.ts'], options);
  expect(fileUse).toContain('sendEither');
});

const byte = Uint8Array.of(65);
const jpeg = new Blob(['A'], { type: 'image/jpeg' });

test.each([
  ['sendProperties', { one: [byte, jpeg] }, ['application/octet-stream A', 'image/jpeg A']],
  ['sendProperties', { one: byte, orNull: null, named: 'a' }, ['application/octet-stream A', ' a']],
  ['sendEither', { photo: byte }, ['image/png A']],
  ['sendEither', { photo: jpeg }, ['image/jpeg A']],
  ['sendEither', { photo: new Blob(['A'], { type: 'image/tiff' }) }, ['image/png A']],
  ['sendEither', { photo: part(byte, { mediaType: 'image/jpeg' }) }, ['image/jpeg A']],
  ['sendTyped', { photo: jpeg }, ['image/jpeg A']],
  ['sendTyped', { photo: new Blob(['A']) }, ['image/png A']],
  ['sendTyped', { any: jpeg }, ['image/jpeg A']],
  ['sendTyped', { table: 'a,b' }, ['text/csv a,b']],
  ['sendTyped', { data: { a: 1 } }, ['application/json {"a":1}']],
  ['sendTyped', { rows: 'a' }, ['text/csv; charset=utf-8 a']],
])('the parts of %s with %o', async (name, body, expected) => {
  expect(await partsOf(name, body)).toEqual(expected);
});

test('a part whose media type is not allowed and cannot be chosen is not sent', async () => {
  await expect(partsOf('sendTyped', { any: byte })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('"any" that needs a media type of image/*') as string,
  });
});

/** Returns the media type and the content of each part that a call sends. */
async function partsOf(name: string, body: object): Promise<readonly string[]> {
  const path = join(generated.client, 'src/index.ts');
  const module = (await import(pathToFileURL(path).href)) as ClientModule;
  let sent: readonly string[] = [];
  const client = module.createClient({
    fetch: async (_: string, { body: bytes = null, headers }: RequestInit) => {
      const type = new Headers(headers).get('content-type') ?? '';
      const boundary = /boundary=(.*)$/u.exec(type)?.[1] ?? '';
      sent = (await new Response(bytes).text()).split(`--${boundary}`).slice(1, -1);
      return new Response(undefined, { status: 204 });
    },
  });
  await client[name]?.({ body });
  return sent.map((text) => {
    const [head = '', content = ''] = text.slice(2, -2).split('\r\n\r\n');
    return `${/content-type: (.*)/iu.exec(head)?.[1] ?? ''} ${content}`;
  });
}
