import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceNames } from '../../../generator/emit/folder/document-paths.ts';
import { targetNames } from '../../../generator/targets/registry.ts';
import { generate } from '../../../generator/generate.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { readTree, writeTree } from '../../output/tree.ts';
import { asyncapi, openapi } from '../../select/library.ts';

const paths = {
  folders: new Map([
    ['@acme.test/webhooks', 'webhooks'],
    ['@acme.test/webhooks-node', 'webhooks-node'],
  ]),
  modules: new Map([
    ['@acme.test/webhooks', 'webhooks/index.ts'],
    ['@acme.test/webhooks/testing', 'webhooks/testing.ts'],
    ['@acme.test/webhooks-node', 'webhooks-node/index.ts'],
  ]),
  importExtension: '.js',
} as const;

test.each([
  ['src/generated', "from '@acme.test/webhooks'", "from './src/generated/webhooks/index.js'"],
  ['src/generated', '@acme.test/webhooks-node.', './src/generated/webhooks-node/index.js.'],
  ['./out', '@acme.test/webhooks/testing', './out/webhooks/testing.js'],
  ['../out', '@acme.test/webhooks/testing', '../out/webhooks/testing.js'],
  ['/home/out', '@acme.test/webhooks/testing', './out/webhooks/testing.js'],
  ['out', '`@acme.test/webhooks/absent`', '`./out/webhooks/absent`'],
  ['out', '@acme.test/webhooks-koa', '@acme.test/webhooks-koa'],
  ['out', '@acmeztest/webhooks', '@acmeztest/webhooks'],
])('in %s, %s is %s', (output, text, expected) => {
  expect(replaceNames(text, { ...paths, output })).toBe(expected);
});

test.each([
  ['without a scope', {}, '@generated/'],
  ['with one', { scope: '@books' }, '@books/'],
])(
  'no text of a folder %s names a package that nobody has, or installs one',
  async (_, settings, names) => {
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'openapi.yaml': openapi,
      'asyncapi.yaml': asyncapi,
      'package.json': '{ "type": "module" }',
    });
    const contract = { openapi: 'openapi.yaml', asyncapi: 'asyncapi.yaml' };
    const targets = targetNames.map((use) =>
      use === 'webhooks' ? { use, inbox: ['sqlite'], replayStores: ['redis'] } : use,
    );
    const config = { contract, targets, output: 'src/own', layout: 'folder', ...settings } as const;
    expect((await generate(config, { folder })).status).toBe('written');
    const tree = Object.entries(await readTree(join(folder, 'src/own')));
    const texts = tree.filter(([path]) => !path.endsWith('.manifest.json'));
    expect(texts.map(([path]) => path)).toEqual(
      expect.arrayContaining(['reference/index.html', 'runtime/docs/webhooks.md']),
    );
    const naming = texts.flatMap(([path, text]) => {
      // The name of a receiver tells its deliveries from those of others in one inbox. No code imports it.
      const rest = text.replaceAll(/receiverName: string =\s+'[^']*'/gu, '');
      return rest.includes(names) ? [path] : [];
    });
    expect(naming).toEqual([]);
    const installing = texts.flatMap(([path, text]) =>
      /(?:npm install|pnpm add|yarn add|bun add) (?:@|\.)/u.test(text) ? [path] : [],
    );
    expect(installing).toEqual([]);
    const page = await readFile(join(folder, 'src/own/reference/index.html'), 'utf8');
    expect(page).toContain('./src/own/client/index.js');
    expect(page).toContain('./src/own/webhooks/index.js');
  },
  60_000,
);
