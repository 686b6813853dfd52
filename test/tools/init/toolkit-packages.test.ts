import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolkitPackages } from '../../../generator/tools/init/toolkit-packages.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { writeTree } from '../../output/tree.ts';

const lock = (resolved: string): string =>
  JSON.stringify({
    packages: {
      'node_modules/countersign': { version: '0.1.0', resolved },
      'node_modules/@countersign/runtime': {
        version: '0.1.0',
        resolved: resolved.replace('countersign-', 'countersign-runtime-'),
      },
    },
  });

it('installs the tarballs of the repository that it runs from', () => {
  const { ranges, missing } = toolkitPackages('/work/shop', '/work/absent/generator');
  expect(ranges).toMatchObject({
    countersign: expect.stringMatching(/^file:\.\.\/absent\/tarballs\/countersign-\d\S*\.tgz$/u),
    '@countersign/runtime': expect.stringMatching(/\/tarballs\/countersign-runtime-\d\S*\.tgz$/u),
  });
  expect(missing).toHaveLength(Object.keys(ranges).length);
});

it('installs the tarballs that it was installed from, or from the registry', async () => {
  const team = await temporaryFolder();
  const root = join(team, 'node_modules/countersign');
  const tarball = 'file:../tarballs/countersign-0.1.0.tgz';
  await writeTree(team, { 'node_modules/.package-lock.json': lock(tarball) });
  expect(toolkitPackages(join(team, 'apps/shop'), root).ranges).toEqual({
    countersign: 'file:../../../tarballs/countersign-0.1.0.tgz',
    '@countersign/runtime': 'file:../../../tarballs/countersign-runtime-0.1.0.tgz',
  });
  const registry = 'https://registry.example/countersign-0.1.0.tgz';
  await writeTree(team, { 'node_modules/.package-lock.json': lock(registry) });
  expect(toolkitPackages(join(team, 'shop'), root)).toEqual({
    ranges: { countersign: expect.stringMatching(/^\^\d/u) },
    missing: [],
  });
});
