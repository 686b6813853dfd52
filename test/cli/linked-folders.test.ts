import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, writeTree } from '../output/tree.ts';
import { describeParcels } from '../packages/create/scaffold/parcels.ts';
import { runInProcess } from './run-in-process.ts';
import { createParcelProject } from '../packages/create/scaffold/parcel-project.ts';

/** Makes a folder of a project a link to an empty folder elsewhere, and returns that folder. */
async function linkOut(project: string, name: string): Promise<string> {
  const elsewhere = await temporaryFolder();
  await mkdir(project, { recursive: true });
  await symlink(elsewhere, join(project, name));
  return elsewhere;
}

it.each(['apps', 'apps/receiver', 'apps/deep/receiver'])(
  'scaffold writes nothing through a linked folder: apps in %s',
  async (path) => {
    const { folder, create } = await createParcelProject();
    const elsewhere = await linkOut(folder, 'apps');
    const { code, out, error } = await create('node', path);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(`Nothing was written: ${join(folder, path)} leads to ${elsewhere}`);
    expect(await readTree(elsewhere)).toEqual({});
    // The user can name the folder itself.
    expect((await create('node', join(elsewhere, 'receiver'))).code).toBe(0);
  },
);

it('init writes nothing through a linked folder for applications', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'asyncapi.json': JSON.stringify(describeParcels()) });
  const elsewhere = await linkOut(folder, 'apps');
  const options = ['--contract', 'asyncapi.json', '--framework', 'node', '--layout', 'packages'];
  const { code, error } = await runInProcess(folder, [
    'init',
    ...options,
    '--scope',
    '@parcels',
    '--signature',
    'shared-secret',
    '--yes',
  ]);
  expect(code).toBe(1);
  expect(error).toContain(`${join(folder, 'apps/receiver')} leads to ${elsewhere}`);
  expect(await readTree(elsewhere)).toEqual({});
});

it('pull fetches nothing into a linked folder', async () => {
  const folder = await temporaryFolder();
  const elsewhere = await linkOut(folder, 'contract');
  const { code, error } = await runInProcess(folder, ['pull', 'http://127.0.0.1:9/openapi.yaml']);
  expect(code).toBe(1);
  expect(error).toContain(`${join(folder, 'contract')} leads to ${elsewhere}`);
});
