import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPackageVersions } from '../../generator/output/package-versions.ts';
import { reconcile } from '../../generator/output/reconcile.ts';
import type { OutputFile } from '../../generator/targets/target.ts';
import { temporaryFolder } from './temporary-folder.ts';

const config = { scope: '@books', version: 'changesets', output: 'out', targets: ['client'] };
const path = 'client/package.json';

function toFiles(version: string, license = 'MIT'): readonly OutputFile[] {
  return [{ path, text: `${JSON.stringify({ version, license })}\n`, from: [] }];
}

test('a version that another process writes during a run is never undone', async () => {
  const folder = join(await temporaryFolder(), 'out');
  await mkdir(folder);
  const start = readPackageVersions(config, folder);
  await reconcile(toFiles('1.0.0'), { folder, mode: 'write', versions: start });

  const versions = readPackageVersions(config, folder);
  const [released = { text: '' }] = toFiles('2.0.0');
  await writeFile(join(folder, path), released.text);
  const files = toFiles('1.0.0', 'ISC');
  await expect(reconcile(files, { folder, mode: 'write', versions })).rejects.toMatchObject({
    code: 'changed',
  });
  expect(await readFile(join(folder, path), 'utf8')).toBe(released.text);

  const again = readPackageVersions(config, folder);
  expect(again?.versions.get('client')).toBe('2.0.0');
  const changes = await reconcile(toFiles('2.0.0', 'ISC'), {
    folder,
    mode: 'write',
    versions: again,
  });
  expect(changes.find((change) => change.path === path)?.kind).toBe('update');
});

test('a concurrent run that wrote the same files is not an obstacle', async () => {
  const folder = join(await temporaryFolder(), 'out');
  await mkdir(folder);
  const versions = readPackageVersions(config, folder);
  await reconcile(toFiles('1.0.0'), { folder, mode: 'write', versions });
  await expect(reconcile(toFiles('1.0.0'), { folder, mode: 'write', versions })).resolves.toEqual(
    [],
  );
});
