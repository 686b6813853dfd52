import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeUserFiles } from '../../generator/output/user-files.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { readTree, writeTree } from './tree.ts';

it('removes the folders that it created if it writes nothing', async () => {
  const folder = await temporaryFolder();
  await writeTree(folder, { 'api/old.yaml': 'mine' });
  const creates = ['.github/workflows/a.yml', 'api/new/b.yaml', 'api/old.yaml'].map((path) => ({
    path,
    text: 'new',
  }));
  await expect(writeUserFiles(folder, { creates, edits: [] })).rejects.toMatchObject({
    code: 'occupied',
  });
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(['api', 'api/old.yaml']);
});

it('replaces no file that is read-only', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'overlay.yaml');
  await writeFile(file, 'before');
  await chmod(file, 0o444);
  const edits = [{ path: 'overlay.yaml', before: 'before', after: 'after' }];
  await expect(writeUserFiles(folder, { creates: [], edits })).rejects.toMatchObject({
    code: 'not-writable',
  });
  expect(await readTree(folder)).toEqual({ 'overlay.yaml': 'before' });
  await chmod(file, 0o644);
  await writeUserFiles(folder, { creates: [], edits });
  expect(await readTree(folder)).toEqual({ 'overlay.yaml': 'after' });
});
