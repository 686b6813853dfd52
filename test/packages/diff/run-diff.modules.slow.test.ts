import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProject, openapi } from '../../cli/project.ts';

const hook = join(import.meta.dirname, '../../cli/record-modules.fixture.ts');

test('diff of two documents loads nothing that generates', async () => {
  const { folder, run } = await createProject({});
  await writeFile(join(folder, 'old.yaml'), openapi);
  await writeFile(join(folder, 'new.yaml'), openapi.replace(/version: .*/u, 'version: 9.0.0'));
  const { code, error } = await run(['diff', 'old.yaml', 'new.yaml'], {
    node: ['--import', hook],
  });
  expect(code, error).toBe(0);
  const urls: readonly string[] = JSON.parse(
    await readFile(join(folder, 'loaded-modules.json'), 'utf8'),
  );
  expect(urls.some((url) => url.includes('/packages/diff/'))).toBe(true);
  expect(urls.filter((url) => /\/generator\/emit\/(?:emit|folder|runtime)/u.test(url))).toEqual([]);
});
