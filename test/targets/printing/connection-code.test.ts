import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeConnection,
  ownOptions,
} from '../../../generator/targets/printing/connection-code.ts';
import { repository } from '../emit-project.ts';
import { readOpenapi } from '../client/emit-client.ts';

test('no question of a contract takes the name of an option of the runtime', async () => {
  const source = await readFile(join(repository, 'packages/runtime/client/description.ts'), 'utf8');
  const [, options = ''] = /interface ConnectionOptions \{(.*?)^\}/ms.exec(source) ?? [];
  const names = Array.from(options.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(ownOptions).toEqual(expect.arrayContaining(names));
});

test.each([
  ['https://example.com/live', 'https://example.com/live'],
  ['https://example.com/{stage}', undefined],
  ['/api/v3', undefined],
])('with the server %s, the default base URL is %s', async (url, address) => {
  const info = { title: 'Trade', version: '1.0.0' };
  const contract = await readOpenapi({ openapi: '3.0.3', info, servers: [{ url }], paths: {} });
  expect(describeConnection(contract).address).toBe(address);
});

test.each([
  [{ description: 'The key of the harbour.' }, 'The key of the harbour.'],
  [
    {},
    'The key of the signature `seal`: text in the encoding of the contract, or the bytes of the key.',
  ],
])('the key of a signature with %j is described as %j', async (about, description) => {
  const contract = await readOpenapi({
    openapi: '3.1.1',
    info: { title: 'Trade', version: '1.0.0', 'x-countersign': 1 },
    security: [{ seal: [] }],
    paths: { '/': { post: { operationId: 'send', responses: { 204: { description: 'Done.' } } } } },
    components: {
      securitySchemes: {
        seal: {
          type: 'apiKey',
          in: 'header',
          name: 'x-seal',
          description: 'An HMAC over the body.',
          'x-signature': {
            algorithm: 'hmac-sha256',
            key: { credential: 'sealKey', encoding: 'hex', ...about },
            over: ['$request.body'],
            encoding: 'hex',
          },
        },
      },
    },
  });
  const { security } = describeConnection(contract);
  expect(security.credentials).toMatchObject([{ name: 'sealKey', description }]);
});
