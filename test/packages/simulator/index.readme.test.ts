import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { callFaults, deliveryFaults } from '../../../packages/simulator/src/index.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { repository } from '../../targets/emit-project.ts';

const runtime = join(repository, 'packages/simulator');
const readme = await readFile(join(runtime, 'README.md'), 'utf8');

it("the example in the runtime's README runs", async () => {
  const [, example = ''] = /^```ts\n(.*?)^```$/msu.exec(readme) ?? [];
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(repository, 'generator'), join(folder, 'node_modules/countersign'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'example.ts'), example);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', 'example.ts'],
    { cwd: folder },
  );
  expect(stdout).toBe('200 401\napi-key\n');
});

it("the runtime's README lists every fault", () => {
  const [, section = ''] = /^## Faults\n(.*?)^## /msu.exec(readme) ?? [];
  const listed = Array.from(section.matchAll(/^\| `([a-z0-9-]+)`/gmu), ([, name]) => name);
  expect(listed).toEqual([...deliveryFaults, ...callFaults]);
});
