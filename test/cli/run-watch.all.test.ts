import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemDisk } from '../../generator/output/disk.ts';
import { lock } from '../../generator/output/lock.ts';
import { createProject, openapi } from './project.ts';
import { watch } from './watching.ts';

it('--watch tries again once it is let in, without a change', async () => {
  const { folder } = await createProject();
  const { says, end } = watch(folder);
  await says('watching');
  const release = await lock(join(folder, 'generated'), 0, systemDisk);
  await writeFile(
    join(folder, 'openapi.yaml'),
    openapi.replace('title: {', 'name: {').replace('[title]', '[name]'),
  );
  await says('Another run');
  await says('watching');
  release();
  await says('updated');
  await says('watching');
  expect(await readFile(join(folder, 'generated/titles/book.js'), 'utf8')).toContain("['name']");
  expect(await end()).toBe(0);
});
