import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeConnection } from '../../../generator/targets/printing/connection-code.ts';
import { exampleOf } from '../../../generator/targets/printing/client-example.ts';
import { callsOf } from '../../../generator/contract/calls.ts';
import { compile } from '../compile.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateClient, readOpenapi } from '../client/emit-client.ts';

const responses = {
  200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } },
};
const tokenBody = (properties: object): object => ({
  content: {
    'application/json': {
      schema: { type: 'object', required: Object.keys(properties), properties },
    },
  },
  required: true,
});
const token = (issueToken: object): object => ({
  type: 'http',
  scheme: 'bearer',
  'x-access-token': {
    operation: 'issueToken',
    token: '$response.body#/access_token',
    value: 'Bearer {token}',
  },
  ...issueToken,
});
const clientBasic = { type: 'http', scheme: 'basic' };
const flow = { tokenUrl: 'https://login.example/token', scopes: {} };

const document = (securitySchemes: object, more: object, issuing: object = {}): object => ({
  openapi: '3.1.1',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  servers: [{ url: 'https://parcels.example' }],
  paths: {
    '/token': { post: { operationId: 'issueToken', responses, security: [], ...issuing } },
    '/orders': { get: { operationId: 'getOrders', responses } },
  },
  components: { securitySchemes },
  ...more,
});
const basicPair =
  "{ username: process.env['API_PARCELS_CLIENT_BASIC_USERNAME'] ?? '', password: process.env['API_PARCELS_CLIENT_BASIC_PASSWORD'] ?? '' }";
const tokenSecurity = { security: [{ token: [] }] };
const byOperation = { security: [{ clientBasic: [] }] };

test.each([
  [
    'HTTP Basic of the token operation',
    document({ token: token({}), clientBasic }, tokenSecurity, byOperation),
    [`clientBasic: ${basicPair}`],
    ['readonly clientBasic: {'],
  ],
  [
    'HTTP Basic of the token operation, with a security of each operation',
    document(
      { token: token({}), clientBasic },
      {
        paths: {
          '/token': { post: { operationId: 'issueToken', responses, ...byOperation } },
          '/orders': { get: { operationId: 'getOrders', responses, ...tokenSecurity } },
          '/open': { get: { operationId: 'open', responses } },
        },
      },
    ),
    [`clientBasic: ${basicPair}`],
    ['readonly clientBasic?:'],
  ],
  [
    'the client credentials flow',
    document(
      { oauth: { type: 'oauth2', flows: { clientCredentials: flow } } },
      { security: [{ oauth: [] }] },
    ),
    [
      "oauth: { clientId: process.env['API_PARCELS_OAUTH_CLIENT_ID'] ?? '', clientSecret: process.env['API_PARCELS_OAUTH_CLIENT_SECRET'] ?? '' }",
    ],
    ['readonly oauth: ClientCredentials | GivenToken;'],
  ],
  [
    'a choice of credentials',
    document(
      { key: { type: 'apiKey', in: 'header', name: 'x-key' }, clientBasic },
      { security: [{ key: [] }, { clientBasic: [] }] },
    ),
    ["key: process.env['API_PARCELS_KEY'] ?? ''"],
    ['readonly key?:', 'readonly clientBasic?:'],
  ],
  [
    'inputs of the token operation that are not texts',
    document({ token: token({}) }, tokenSecurity, {
      requestBody: tokenBody({
        shop: { type: 'integer' },
        grant: { enum: ['a', 'b'] },
        live: { type: 'boolean' },
        scopes: { type: 'array', items: { type: 'string' } },
        secret: { type: 'string' },
      }),
    }),
    [
      "shop: Number(process.env['API_PARCELS_SHOP'] ?? '')",
      "grant: 'a'",
      'live: true',
      "scopes: [process.env['API_PARCELS_SCOPES'] ?? '']",
      "secret: process.env['API_PARCELS_SECRET'] ?? ''",
    ],
    ['readonly shop:'],
  ],
])(
  'examples have the credentials: %s',
  async (_, from, shown, declared) => {
    const contract = await readOpenapi(from);
    const plain = (text: string): string =>
      text.replaceAll(/^ *\* ?/gmu, '').replaceAll(/[\s"',]+/gu, '');
    const calls = callsOf(contract);
    const { exampleOptions } = exampleOf(
      contract,
      calls,
      describeConnection(contract),
      calls.find(({ name }) => name === 'getOrders')?.operation,
    );
    await using generated = await generateClient(contract);
    const readme = await readFile(join(generated.client, 'README.md'), 'utf8');
    const index = await readFile(join(generated.client, 'src/index.ts'), 'utf8');
    for (const text of shown)
      for (const page of [exampleOptions.text, readme, index])
        expect(plain(page)).toContain(plain(text));
    const options = await readFile(join(generated.client, 'src/options.ts'), 'utf8');
    for (const text of declared) expect(options).toContain(text);
    const [, code = ''] = /^```ts\n([^]*?)^```/mu.exec(readme) ?? [];
    await writeFile(join(generated.project, 'use.ts'), `${code}\nvoid [client, ClientError];\n`);
    await compile('ts7', generated.contract, ['-b']);
    await compileStrictly(generated.project, ['use.ts'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'source',
      withRuntimes: true,
    });
  },
  60_000,
);
