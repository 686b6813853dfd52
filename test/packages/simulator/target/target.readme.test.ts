import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { repository } from '../../../targets/emit-project.ts';

it('the example in the README of the generated simulator delivers a notification', async () => {
  const readme = await readFile(join(repository, 'generated/simulator/README.md'), 'utf8');
  const [, example = ''] = /^```ts\n(.*?)^```$/msu.exec(readme) ?? [];
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  for (const scope of ['@countersign', '@instant-payment'])
    await symlink(join(repository, 'node_modules', scope), join(folder, 'node_modules', scope));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'example.ts'), example);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', 'example.ts'],
    { cwd: folder },
  );
  expect(stdout).toBe('acknowledged 1\n');
});
