import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { repository } from '../../targets/emit-project.ts';

it("the example in the package's README runs", async () => {
  const readme = await readFile(join(repository, 'packages/console/README.md'), 'utf8');
  const [, example = ''] = /^```ts\n(.*?)^```$/msu.exec(readme) ?? [];
  const folder = await temporaryFolder();
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@acme'), { recursive: true });
  await symlink(join(repository, 'packages/runtime'), join(modules, '@acme/runtime'));
  await symlink(join(repository, 'generator'), join(modules, 'countersign'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'example.ts'), example);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', '--no-warnings', 'example.ts'],
    { cwd: folder, timeout: 60_000 },
  );
  expect(stdout).toBe('http://127.0.0.1:…\n401\n');
});
