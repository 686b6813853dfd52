import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addressOf,
  followLink,
  menuOf,
  pages,
  rewrites,
  slugOf,
} from '../../../docs/site/pages.ts';
import { repository } from '../../targets/emit-project.ts';

test('every page of the documentation is on the site, at an address of its own', () => {
  expect(pages).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/README.md',
      'docs/guides/diff.md',
      'docs/site/index.md',
      'docs/vocabulary/README.md',
      'generated/client/README.md',
      'generator/diagnostics/pages/lint.md',
      'packages/runtime/inbox/README.md',
    ]),
  );
  expect(pages.filter((page) => /node_modules|CHANGELOG|AGENTS|^test\//u.test(page))).toEqual([]);
  expect(new Set(Object.values(rewrites)).size).toBe(pages.length);
});

test.each([
  ['docs/site/index.md', '/'],
  ['README.md', '/readme'],
  ['docs/README.md', '/documentation'],
  ['docs/guides/diff.md', '/guides/diff'],
  ['docs/vocabulary/README.md', '/vocabulary/'],
  ['packages/runtime/inbox/README.md', '/packages/runtime/inbox/'],
])('%s is at %s', (page, address) => {
  expect(addressOf(page)).toBe(address);
});

test.each([
  ['a page', '../configuration.md', '/configuration'],
  ['a part of a page', '../../README.md#quick-start', '/readme#quick-start'],
  ['a folder with a page', '../vocabulary', '/vocabulary/'],
  ['a part of the same page', '#tests', '#tests'],
  ['another site', 'https://example.com/a.md', 'https://example.com/a.md'],
  ['a file that is no page', '../../spec/openapi.yaml', undefined],
])('a link to %s', (_, href, address) => {
  expect(followLink('docs/guides/diff.md', href)).toBe(address);
});

test('the menu has the pages of the index, in its four parts', () => {
  const menu = menuOf();
  expect(menu.map(({ text }) => text)).toEqual(['Start', 'Guides', 'Reference', 'Inside']);
  const places = new Set(pages.map(addressOf));
  for (const { items } of menu) {
    expect(items.length).toBeGreaterThan(4);
    for (const { link } of items) expect(places).toContain(link);
  }
});

test.each([
  ['Which queue?', 'which-queue'],
  ['`x-signature` and `over`', 'x-signature-and-over'],
  ['Node.js & Bun', 'nodejs--bun'],
])('the heading %j has the address that links use', (heading, slug) => {
  expect(slugOf(heading)).toBe(slug);
});

test('the site is no part of what the repository installs', async () => {
  const lock = await readFile(join(repository, 'package-lock.json'), 'utf8');
  const own = await readFile(join(repository, 'docs/site/package-lock.json'), 'utf8');
  expect([own.includes('node_modules/vitepress"'), lock.includes('vitepress')]).toEqual([
    true,
    false,
  ]);
});
