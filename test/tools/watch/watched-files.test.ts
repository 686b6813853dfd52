import { expect, it } from 'vitest';
import { effectOf, knownFiles } from '../../../generator/tools/watch/watched-files.ts';

const files = {
  configuration: '/shop/countersign.config.ts',
  contracts: ['/shop/spec/openapi.yaml'],
  inputs: ['/shop/spec/openapi.yaml', '/shop/shared/Money.txt', '/shop/target.ts'],
  outputs: ['/shop/spec/generated'],
  folder: '/shop',
};

it.each([
  ['the configuration', '/shop/countersign.config.ts', 'again'],
  ['a named document', '/shop/spec/openapi.yaml', 'again'],
  ['what the last run read, wherever it is', '/shop/shared/Money.txt', 'again'],
  ['code that runs', '/shop/target.ts', 'stale'],
  ['a file beside a document', '/shop/spec/schemas/Order.YAML', 'again'],
  ['a text beside a document', '/shop/spec/notes.md', 'none'],
  ['a document elsewhere', '/shop/other/openapi.yaml', 'none'],
  ['a generated file', '/shop/spec/generated/openapi.json', 'none'],
  ['an installed file', '/shop/spec/node_modules/a/b.json', 'none'],
  ['a hidden file', '/shop/spec/.cache/b.json', 'none'],
])('a change of %s (%s): %s', (_, path, effect) => {
  expect(effectOf(path, files, false)).toBe(effect);
});

it('a folder beside a document can have files that a reference names', () => {
  expect(effectOf('/shop/spec/schemas', files, true)).toBe('again');
  expect(effectOf('/shop/spec/schemas', files, false)).toBe('none');
  expect(effectOf('/shop/spec/generated/schemas', files, true)).toBe('none');
});

it('a hidden folder above the configuration hides nothing', () => {
  const moved = { ...files, folder: '/home/.work', contracts: ['/home/.work/openapi.yaml'] };
  expect(effectOf('/home/.work/Order.yaml', moved, false)).toBe('again');
});

it('without a configuration, the files of the command line are watched', () => {
  const { configuration: _, ...named } = files;
  expect([...knownFiles({ ...named, inputs: [] })]).toEqual(['/shop/spec/openapi.yaml']);
});
