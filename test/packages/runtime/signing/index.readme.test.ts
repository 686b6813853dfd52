import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const signing = join(import.meta.dirname, '../../../../packages/runtime/signing');

test('the examples in the READMEs of the part and of the package run and print what they say', async () => {
  const readmes = [join(signing, 'README.md'), join(signing, '../README.md')];
  const texts = await Promise.all(readmes.map((path) => readFile(path, 'utf8')));
  const examples = Array.from(
    texts.join('\n').matchAll(/^```ts\n(.*?)^```$/gms),
    ([, example = '']) => example,
  );
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    await mkdir(join(folder, 'node_modules/@countersign'), { recursive: true });
    await symlink(join(signing, '..'), join(folder, 'node_modules/@countersign/runtime'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const printed: string[] = [];
    for (const example of examples) {
      await writeFile(join(folder, 'example.ts'), example);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=countersign-source', 'example.ts'],
        { cwd: folder },
      );
      printed.push(stdout);
    }
    expect(printed).toEqual([
      'signed with key 1\n',
      'true\n',
      'signed with key 2026-01\n',
      'function\n',
      expect.stringMatching(/^\{ ok: true, key: 0, timestamp: \d{13} \}\n$/),
      "[ 'x-signature' ]\n",
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the README names every code and every reason', async () => {
  const readme = await readFile(join(signing, 'README.md'), 'utf8');
  const source = await readFile(join(signing, 'core.ts'), 'utf8');
  for (const type of ['InputProblem', 'SigningErrorCode', 'VerificationFailure']) {
    const [, union = ''] = new RegExp(`export type ${type} =([^]+?);\n`, 'u').exec(source) ?? [];
    const codes = [...union.matchAll(/\| '([a-z-]+)'/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(5);
    for (const code of codes) expect(readme).toContain(`\`${code ?? ''}\``);
  }
});
