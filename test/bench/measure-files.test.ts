import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measureFiles } from '../../bench/measure-files.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

it('counts the files of all folders, and rounds each up to blocks on disk', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'a/b'), { recursive: true });
  await writeFile(join(folder, 'one'), 'x'.repeat(5000));
  await writeFile(join(folder, 'a/b/two'), 'é');
  await writeFile(join(folder, 'a/empty'), '');
  expect(measureFiles(folder)).toEqual({ files: 3, bytes: 5002, bytesOnDisk: 3 * 4096 });
  expect(measureFiles(join(folder, 'one'))).toEqual({ files: 1, bytes: 5000, bytesOnDisk: 8192 });
});
