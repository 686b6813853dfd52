import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConnection } from '../../../generator/targets/printing/connection-code.ts';
import type { ClientModule } from '../../packages/runtime/client/generated-client.ts';
import { startServer } from '../../packages/runtime/client/server.ts';
import { generateClient, readOpenapi, type GeneratedClient } from './emit-client.ts';

const operation = (operationId: string, more: object = {}): object => ({
  post: { operationId, responses: { 204: { description: 'Done.' } }, ...more },
});

const bank = {
  openapi: '3.1.1',
  info: { title: 'Bank', version: '1.0.0', 'x-countersign': 1 },
  paths: {
    '/once': operation('once'),
    '/often': operation('often', { 'x-repeatable': true }),
    '/pay': operation('pay', { 'x-repeatable': { unstated: 'pay-twice' } }),
    '/pay-back': operation('payBack', { 'x-repeatable': { unstated: 'pay-twice' } }),
    '/transfer': operation('transfer', {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      'x-repeatable': { keeps: '$request.header.X-Id' },
    }),
    '/refund': operation('refund', {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      'x-repeatable': { unstated: 'refund-twice' },
    }),
    '/token': operation('issueToken', {
      security: [],
      responses: {
        200: {
          description: 'A token.',
          content: {
            'application/json': {
              schema: { type: 'object', properties: { token: { type: 'string' } } },
            },
          },
        },
      },
    }),
    '/move': {
      put: {
        operationId: 'move',
        responses: { 204: { description: 'Done.' } },
        'x-repeatable': false,
      },
      delete: { operationId: 'remove', responses: { 204: { description: 'Done.' } } },
    },
    '/draw': {
      get: {
        operationId: 'draw',
        responses: { 204: { description: 'Done.' } },
        'x-repeatable': false,
      },
    },
    '/read': { get: { operationId: 'read', responses: { 204: { description: 'Done.' } } } },
  },
  components: {
    parameters: {
      Id: {
        name: 'x-id',
        in: 'header',
        schema: { type: 'string' },
        'x-every-request': { value: 'uuid', retry: { unstated: 'id-on-retry' } },
      },
    },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'bearer',
        'x-access-token': {
          operation: 'issueToken',
          token: '$response.body#/token',
          value: '{token}',
        },
      },
    },
  },
  security: [{ token: [] }],
  'x-unstated': {
    'pay-twice': {
      source: '1',
      question: 'Does the service recognize a payment that arrives twice?',
      choices: {
        recognized: { value: true, meaning: 'It does.' },
        unknown: { value: false, meaning: 'It is unknown.' },
      },
      assumed: 'unknown',
    },
    'refund-twice': {
      source: '1',
      question: 'Does the service recognize a refund that arrives twice?',
      choices: {
        'by-id': { value: { keeps: '$request.header.x-id' }, meaning: 'By its id.' },
        unknown: { value: false, meaning: 'It is unknown.' },
      },
      assumed: 'unknown',
    },
    'id-on-retry': {
      source: '1',
      question: 'Does a repetition carry the same id?',
      choices: { keep: 'It does.', renew: 'It does not.' },
      assumed: 'keep',
    },
  },
};

test.each([
  ['/transfer', true],
  ['/refund', true],
  ['/pay', false],
  ['/often', false],
] as const)('a client for %s has the code that compares values: %s', async (path, isUsed) => {
  const paths = { [path]: bank.paths[path], '/token': bank.paths['/token'] };
  const { service } = describeConnection(await readOpenapi({ ...bank, paths }));
  expect(service.imports.includes('isKept')).toBe(isUsed);
});

let generated: GeneratedClient;
let module: ClientModule;

beforeAll(async () => {
  generated = await generateClient(await readOpenapi(bank));
  module = (await import(
    pathToFileURL(join(generated.client, 'src/index.ts')).href
  )) as ClientModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

test.each([
  ['once', {}, {}, 1],
  ['once', {}, { repeatable: true }, 3],
  ['often', {}, {}, 3],
  ['often', {}, { repeatable: false }, 1],
  ['pay', {}, {}, 1],
  ['pay', { payTwice: 'unknown' }, {}, 1],
  ['pay', { payTwice: 'recognized' }, {}, 3],
  ['payBack', { payTwice: 'recognized' }, {}, 3],
  ['transfer', {}, {}, 3],
  ['transfer', { idOnRetry: 'keep' }, {}, 3],
  ['transfer', { idOnRetry: 'renew' }, {}, 1],
  ['transfer', { idOnRetry: 'renew' }, { repeatable: true }, 3],
  ['refund', {}, {}, 1],
  ['refund', { idOnRetry: 'renew' }, {}, 1],
  ['refund', { refundTwice: 'by-id' }, {}, 3],
  ['refund', { refundTwice: 'by-id', idOnRetry: 'renew' }, {}, 1],
  ['read', { idOnRetry: 'renew' }, {}, 3],
  ['read', {}, {}, 3],
  ['issueToken', {}, {}, 3],
  ['move', {}, {}, 1],
  ['move', {}, { repeatable: true }, 3],
  ['remove', {}, {}, 3],
  ['draw', {}, {}, 1],
])('%s with the options %j and %j is attempted %d times', async (name, options, call, attempts) => {
  await using server = await startServer(({ url }, response) => {
    if (url !== '/token' || name === 'issueToken') return response.writeHead(503).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end('{"token":"abc"}');
  });
  const client = module.createClient({
    baseUrl: server.baseUrl,
    sleep: async () => undefined,
    ...options,
  });
  await expect(client[name]?.({}, call)).rejects.toMatchObject({ status: 503 });
  expect(
    server.arrived.filter(({ url }) => url !== '/token' || name === 'issueToken'),
  ).toHaveLength(attempts);
});

test('an answer that is none is refused when the client is made', () => {
  expect(() => module.createClient({ baseUrl: 'https://bank.example', payTwice: 'yes' })).toThrow(
    expect.objectContaining({ code: 'invalid-option' }),
  );
});

test('comments and README say what is repeated, and when', async () => {
  const comments = {
    once: 'Not repeated after a failure, unless called with `repeatable: true`.',
    often: 'Repeated after a failure: the contract states that it is repeatable.',
    transfer:
      'Repeated after a failure only if all attempts carry the same value of `$request.header.X-Id`',
    pay: 'Repeated after a failure only where the answer to `pay-twice` allows it',
    move: 'Not repeated after a failure, unless called with `repeatable: true`.',
    issueToken:
      'A client calls it by itself, when a call needs a token. Repeated after a failure: the client uses the last token that it receives.',
  };
  const client = await readFile(join(generated.client, 'src/operations.ts'), 'utf8');
  const commentOf = (name: string): string =>
    new RegExp(String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*export const ${name}:`).exec(
      client,
    )?.[1] ?? '';
  for (const [name, comment] of Object.entries(comments))
    expect(commentOf(name)).toContain(comment);
  expect(commentOf('read')).not.toBe('');
  expect(commentOf('read')).not.toContain('epeated');
  const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Retries'));
  expect(section).toMatch(/\| `often` +\| the contract declares it/);
  expect(section).toMatch(
    /\| `transfer` +\| .*only if all attempts carry the same value of `\$request.header.X-Id`/,
  );
  expect(section).toMatch(/\| `pay` +\| only if the option `payTwice` allows it/);
  expect(section).toMatch(/\| `issueToken` +\| it requests a token/);
  expect(section).not.toContain('`once`');
  expect(section).toContain('OPTIONS, TRACE, but not `move`, `draw` |');
  expect(section).toContain(
    'the service may have executed it, and a second attempt could execute it twice',
  );
  expect(section).toContain(
    '- `pay-twice`: Does the service recognize a payment that arrives twice? Assumed: `unknown`. It is unknown.\n  - `recognized`: It does.',
  );
});

test('options by which an id changes are excluded where it makes a repetition safe', async () => {
  const options = await readFile(join(generated.client, 'src/options.ts'), 'utf8');
  expect(options.replaceAll(/\s+/g, ' ')).toContain(
    "export type ClientOptions = AllOptions & { readonly idOnRetry?: 'keep' } & ( | { readonly refundTwice?: 'unknown' } | { readonly idOnRetry?: 'keep' } );",
  );
});
