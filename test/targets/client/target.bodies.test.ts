import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  },
  components: { schemas: { Order: order } },
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
