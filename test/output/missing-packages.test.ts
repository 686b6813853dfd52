import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDevelopmentOnly, findMissing } from '../../generator/output/missing-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('packages that the nearest package.json does not list are missing', async () => {
  const folder = await temporaryFolder();
  const manifest = { dependencies: { a: '1' }, peerDependencies: { b: '1' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const output = join(folder, 'one/two');
  await mkdir(output, { recursive: true });
  // A package.json that is a folder cannot be read. It must not make the run fail after it has written everything.
  await mkdir(join(folder, 'one/package.json'));
  const needs = new Map([
    ['a', '^1.0.0'],
    ['b', '^1.0.0'],
    ['c', '^2.0.0'],
  ]);
  expect(await findMissing(needs, output)).toEqual(['c@^2.0.0']);
});

test.each([
  ['4.18.0', '4'],
  ['^4.18.0', '4'],
  ['>= 4', '4'],
  ['4.x', '4'],
  ['latest', '^5.0.0'],
  ['*', '^5.0.0'],
  ['npm:other@4.0.0', '^5.0.0'],
  ['4-tag', '^5.0.0'],
  [undefined, '^5.0.0'],
])('the types of a framework of the range %s are of the range %s', async (range, expected) => {
  const folder = await temporaryFolder();
  const manifest = { dependencies: { express: range }, devDependencies: { '@types/koa': '3' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const needs = new Map([
    ['@types/express', '^5.0.0'],
    ['@types/koa', '^3.0.0'],
    ['@types/node', '>=18'],
  ]);
  expect(await findMissing(needs, folder)).toEqual([
    `@types/express@${expected}`,
    '@types/node@>=18',
  ]);
});

test('a dependency that is not a text does not fail', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "dependencies": { "koa": 3 } }');
  expect(await findMissing(new Map([['@types/koa', '^3.0.0']]), folder)).toEqual([
    '@types/koa@^3.0.0',
  ]);
});

test('packages for development only are those that no list of production has, without types', async () => {
  const folder = await temporaryFolder();
  const manifest = {
    dependencies: { a: '1', both: '1' },
    devDependencies: { b: '1', both: '1', '@types/node': '1', tool: '1' },
    optionalDependencies: { c: '1' },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const needs = new Map(
    ['a', 'b', 'both', '@types/node', 'c', 'd'].map((name) => [name, '^1.0.0']),
  );
  expect(await findDevelopmentOnly(needs, folder)).toEqual(['b@^1.0.0']);
  expect(await findMissing(needs, folder)).toEqual(['d@^1.0.0']);
});
