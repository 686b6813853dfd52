import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toolkitPackage } from '../../../../packages/create/src/init/toolkit-package.ts';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { writeTree } from '../../../output/tree.ts';

const lock = (resolved: string): string =>
  JSON.stringify({ packages: { 'node_modules/countersign': { version: '0.1.0', resolved } } });

it('installs the tarball of the repository that it runs from', () => {
  const { range, missing } = toolkitPackage('/work/shop', '/work/absent/generator');
  expect(range).toMatch(/^file:\.\.\/absent\/tarballs\/countersign-\d\S*\.tgz$/u);
  expect(missing).toMatch(/^\/work\/absent\/tarballs\/countersign-\d\S*\.tgz$/u);
});

it('installs the tarball that it was installed from, or from the registry', async () => {
  const team = await temporaryFolder();
  const root = join(team, 'node_modules/countersign');
  const tarball = 'file:../tarballs/countersign-0.1.0.tgz';
  await writeTree(team, { 'node_modules/.package-lock.json': lock(tarball) });
  expect(toolkitPackage(join(team, 'apps/shop'), root).range).toBe(
    'file:../../../tarballs/countersign-0.1.0.tgz',
  );
  const registry = 'https://registry.example/countersign-0.1.0.tgz';
  await writeTree(team, { 'node_modules/.package-lock.json': lock(registry) });
  expect(toolkitPackage(join(team, 'shop'), root)).toEqual({
    range: expect.stringMatching(/^\^\d/u),
  });
});
