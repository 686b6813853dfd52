import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  describeConnection,
  ownOptions,
} from '../../../generator/targets/client/connection-code.ts';
import { repository } from '../emit-project.ts';
import { readOpenapi } from './emit-client.ts';

test('no question of a contract takes the name of an option of the runtime', async () => {
  const source = await readFile(join(repository, 'packages/client/src/options.ts'), 'utf8');
  const [, options = ''] = /interface ConnectionOptions \{(.*?)^\}/ms.exec(source) ?? [];
  const names = Array.from(options.matchAll(/^ {2}readonly (\w+)\??:/gm), ([, name]) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(ownOptions).toEqual(expect.arrayContaining(names));
});

test.each([
  ['https://example.com/live', 'https://example.com/live'],
  ['https://example.com/{stage}', undefined],
])('with the server %s, the default base URL is %s', async (url, address) => {
  const info = { title: 'Trade', version: '1.0.0' };
  const contract = await readOpenapi({ openapi: '3.0.3', info, servers: [{ url }], paths: {} });
  expect(describeConnection(contract, []).address).toBe(address);
});
