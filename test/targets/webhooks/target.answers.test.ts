import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

/** Returns a webhook whose deliveries have the type, and whose successful response has the schema. */
function webhook(type: string, mediaType: string, schema: object): object {
  const payload = {
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { const: type }, id: { type: 'string' } },
    examples: [{ type, id: 'first' }],
  };
  return {
    post: {
      security: [{ proof: [] }],
      requestBody: {
        content: { 'application/json': { schema: payload, example: { type, id: 'first' } } },
      },
      responses: { 200: { description: 'Accepted.', content: { [mediaType]: { schema } } } },
    },
  };
}

const members = {
  type: 'object',
  required: ['ok', 'challenge', 'nested'],
  properties: {
    ok: { const: true },
    challenge: { type: 'string', 'x-echoes': '$request.body#/id' },
    nested: { allOf: [{ $ref: '#/components/schemas/Nested' }] },
    optional: { type: 'number' },
  },
};

const contract = {
  openapi: '3.1.1',
  info: { title: 'Answers', version: '1.0.0', 'x-countersign': 1 },
  webhooks: {
    echoed: webhook('echoed', 'application/json', members),
    fixed: webhook('fixed', 'text/plain', { type: 'string', enum: ['it`s ${ok}'] }),
    open: webhook('open', 'text/plain', { type: 'string' }),
    markup: webhook('markup', 'text/html', { const: '<b>' }),
  },
  components: {
    schemas: { Nested: { type: 'object', required: ['a'], properties: { a: { enum: [1] } } } },
    securitySchemes: {
      proof: {
        type: 'apiKey',
        in: 'header',
        name: 'none',
        'x-body-signature': {
          algorithm: 'hmac-sha256',
          key: { credential: 'secret', encoding: 'utf-8' },
          over: ['/id', { member: '/type', mayContainSeparator: true }],
          separator: '|',
          encoding: 'hex',
          signature: '/proof/hmac',
        },
      },
    },
  },
};

interface Module extends WebhooksModule {
  verifyProof(options: { readonly keys: readonly string[] }): unknown;
}

interface Testing {
  createProofSigner(options: { readonly key: string }): object;
  deliver(kind: string, overrides: object): Promise<Request>;
}

let generated: GeneratedWebhooks;
let receive: (kind: string, key?: string) => Promise<Response>;

beforeAll(async () => {
  generated = await generateWebhooks(await readOpenapi(contract));
  const load = async (file: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, 'src', file)).href);
  const { createWebhooks, verifyProof } = (await load('index.ts')) as Module;
  const { createProofSigner, deliver } = (await load('testing.ts')) as Testing;
  const { fetch } = createWebhooks({
    authenticate: verifyProof({ keys: ['secret'] }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  receive = async (kind, key = 'secret') =>
    await fetch(await deliver(kind, { bodySigner: createProofSigner({ key }) }));
});
afterAll(() => generated[Symbol.asyncDispose]());

test('the generated code compiles under every flag', async () => {
  const options = {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  } as const;
  const compiling = compileStrictly(generated.project, ['contract/src', 'webhooks/src'], options);
  await expect(compiling).resolves.toBeUndefined();
});

test.each([
  ['echoed', 'application/json', '{"ok":true,"challenge":"first","nested":{"a":1}}'],
  ['fixed', 'text/plain; charset=utf-8', 'it`s ${ok}'],
  ['open', null, ''],
  ['markup', null, ''],
])('a delivery is answered as the schema of its response states: %s', async (kind, type, text) => {
  const response = await receive(kind);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(await response.text()).toBe(text);
});

test('a delivery that is signed with another key gets no answer of the contract', async () => {
  const response = await receive('echoed', 'another');
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain('first');
});
