import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../targets/emit-project.ts';

/** The packages that the files of an example import, beside the toolkit. */
async function importsOf(folder: string): Promise<ReadonlySet<string>> {
  const names = (await readdir(join(folder, 'src'))).filter((name) => name.endsWith('.ts'));
  expect(names).toContain('main.ts');
  const files = ['countersign.config.ts', ...names.map((name) => join('src', name))];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return new Set(
    texts
      .flatMap((text) => Array.from(text.matchAll(/(?:from|resolve\()\s*'([^.'][^']*)'/gu)))
      .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/u.exec(name)?.[0] ?? '')
      .filter((name) => !name.startsWith('node:') && name !== 'countersign'),
  );
}

test.each(['stripe', 'slack', 'github', 'adyen', 'standard-webhooks'])(
  'a copy of the example of %s installs what its files import',
  async (name) => {
    const folder = join(repository, 'examples', name);
    const page = await readFile(join(folder, 'README.md'), 'utf8');
    const [, intro = '', commands = ''] =
      /^(To start from a copy: [^]*?)```sh\n([^]*?)^```$/mu.exec(page) ?? [];
    const copied = Array.from(
      intro.matchAll(/`([\w.-]+\.(?:ts|yaml)|src\/)`/gu),
      ([, file]) => file,
    );
    const contract = copied.filter((file) => file?.endsWith('.yaml'));
    const present = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
    expect(new Set(contract)).toEqual(new Set(present));
    expect(copied).toEqual([...contract, 'countersign.config.ts', 'src/']);
    const lines = commands.trimEnd().split('\n');
    const installed = lines.flatMap((line) =>
      line.startsWith('npm install ') ? line.split(' ').slice(2) : [],
    );
    for (const imported of await importsOf(folder)) expect(installed).toContain(imported);
    expect(
      lines
        .filter((line) => !/^npm install [^-]/u.test(line))
        .map((line) => line.replace(/\.tgz .*/u, '.tgz')),
    ).toEqual([
      'npm init --yes',
      'npm pkg set type=module',
      'npm install --save-dev ../countersign/tarballs/*.tgz',
      'npx countersign generate',
      'node src/main.ts',
    ]);
  },
);
