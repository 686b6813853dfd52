import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findMissing } from '../../generator/output/missing-packages.ts';
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
