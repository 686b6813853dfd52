import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runtime = join(import.meta.dirname, '../../../packages/inbox');

test("the example in the package's README runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    const readme = await readFile(join(runtime, 'README.md'), 'utf8');
    const [, example] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
    if (example === undefined) throw new Error('the README shows no example');
    await mkdir(join(folder, 'node_modules/@countersign'), { recursive: true });
    await symlink(runtime, join(folder, 'node_modules/@countersign/inbox'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'example.ts'), example);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=countersign-source', 'example.ts'],
      { cwd: folder },
    );
    expect(stdout).toBe('stored\nduplicate\n1 0\n');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the README names every code', async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const source = await readFile(join(runtime, 'src/inbox-error.ts'), 'utf8');
  const codes = [...source.matchAll(/\| '([a-z-]+)'/g)].map(([, code]) => code ?? '');
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes) expect(readme).toContain(`| \`${code}\` `);
});
