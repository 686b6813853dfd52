import { execFile } from 'node:child_process';
import { cp, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAll,
  createProject,
  node22,
  nodePackage,
  packToolkit,
  repository,
  type Project,
} from './project.ts';

const execute = promisify(execFile);

/** The words behind `npm` in the only line of the first page that installs the toolkit, with the tarball replaced. */
async function shownInstall(tarball: string): Promise<readonly string[]> {
  const page = await readFile(join(repository, 'README.md'), 'utf8');
  const lines = page.split('\n').filter((text) => text.startsWith('npm install --save-dev ..'));
  expect(lines).toEqual(['npm install --save-dev ../countersign/tarballs/*.tgz']);
  return ['install', '--save-dev', tarball];
}

/** The script `pack` ends with the two commands that `packToolkit` runs. */
async function assertPacking(): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect((scripts['pack'] ?? '').split(' && ').slice(-2)).toEqual([
    'node packages/write-package.ts',
    'npm pack ./dist/countersign --pack-destination tarballs',
  ]);
}

describe("the toolkit's tarball in an empty project with Node 22 and TypeScript 7 of its own", () => {
  let project: Project;

  beforeAll(async () => {
    await buildAll();
    project = await createProject('other-team');
    await assertPacking();
    const tarball = await packToolkit(join(project.folder, 'tarballs'));
    await project.npm(...(await shownInstall(tarball)));
    await project.npm('install', '--save-dev', 'typescript@7.0.2', node22());
    const contract = await readFile(
      join(repository, 'test/golden/library-loans/openapi.yaml'),
      'utf8',
    );
    await project.write('api/openapi.yaml', contract);
    await project.write(
      'countersign.config.ts',
      `import { defineConfig, targetNames } from 'countersign';
export default defineConfig({
  contract: { openapi: 'api/openapi.yaml' },
  scope: '@library',
  output: 'generated',
  targets: targetNames.filter((name) => name !== 'openapi-types'),
});
`,
    );
  }, 300_000);

  afterAll(() => project.remove());

  it('run on that Node', async () => {
    expect(await project.npx('node', '--version')).toMatch(/^v22\./);
  });

  it('generate the packages of a contract, and find them up to date afterwards', async () => {
    await project.npx('countersign', 'generate');
    const files = await readdir(join(project.folder, 'generated/contract'));
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'runtime', 'src']));
    await project.npx('countersign', 'check');
  });

  it('write an application that receives, which lacks no handler', async () => {
    const words = ['scaffold', 'express', 'apps/receiver', '--authenticate', 'shared-secret'];
    await project.npx('countersign', ...words);
    const files = await readdir(join(project.folder, 'apps/receiver/src'));
    expect(files).toEqual(expect.arrayContaining(['handlers', 'main.ts', 'webhooks.ts']));
    const again = await project.npx('countersign', 'scaffold', '--missing', 'apps/receiver');
    expect(again).toContain('apps/receiver: no handler is missing');
  });

  it('give a configuration file its types', async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      types: [],
      skipLibCheck: false,
    };
    const wrong =
      "import { defineConfig } from 'countersign';\nexport default defineConfig({ scope: 1 });\n";
    await project.write('wrong.config.ts', wrong);
    for (const file of ['countersign.config.ts', 'wrong.config.ts']) {
      await project.write(`${file}.json`, JSON.stringify({ compilerOptions, files: [file] }));
    }
    await expect(project.npx('tsc', '-p', 'countersign.config.ts.json')).resolves.toBe('');
    await expect(project.npx('tsc', '-p', 'wrong.config.ts.json')).rejects.toThrow(
      /wrong\.config\.ts.*TS\d{4}.*not assignable/s,
    );
  });

  it('run a target from outside, and give it its types', async () => {
    const example = join(repository, 'examples/target-zod');
    await cp(example, join(project.folder, 'target-zod'), { recursive: true });
    const colors = {
      openapi: '3.1.1',
      info: { title: 'Colors', version: '1.0.0' },
      paths: {},
      components: { schemas: { Color: { enum: ['red', 'green'] } } },
    };
    await project.write('api/colors.json', JSON.stringify(colors));
    const config = (name: string): string =>
      `import { defineConfig } from 'countersign';
import { zod } from './target-zod/target-zod.ts';
export default defineConfig({
  contract: { openapi: 'api/colors.json' },
  scope: '@colors',
  output: 'zod',
  targets: ['contract', { use: zod, names: '${name}' }],
});
`;
    await project.write('zod.config.ts', config('member'));
    await project.npx('countersign', 'generate', '--config', 'zod.config.ts');
    expect(await readFile(join(project.folder, 'zod/zod/src/index.ts'), 'utf8')).toContain(
      'export const colorSchema: z.ZodType = ',
    );
    await project.write('typo.config.ts', config('members'));
    await expect(
      project.npx('countersign', 'generate', '--config', 'typo.config.ts'),
    ).rejects.toThrow('targets[1].names: must be `type` or `member`');
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2024',
      allowImportingTsExtensions: true,
      types: ['node'],
      skipLibCheck: false,
    };
    await project.npm('install', '--save-dev', '@types/node@22');
    await project.write(
      'zod.config.json',
      JSON.stringify({ compilerOptions, files: ['zod.config.ts'] }),
    );
    await expect(project.npx('tsc', '-p', 'zod.config.json')).resolves.toBe('');
  });

  it('refuse Node 18 in one sentence, and write nothing', async () => {
    const older = await createProject('older-node');
    await older.npm('install', nodePackage('18'));
    const [bin = ''] = await older
      .npx('node', '--print', 'process.execPath')
      .then((text) => text.split('\n'));
    const run = async (...parameters: readonly string[]): Promise<string> =>
      await execute(bin, parameters, { cwd: project.folder }).then(
        ({ stdout }) => stdout,
        ({ code, stderr }: { readonly code: number; readonly stderr: string }) =>
          `${code} ${stderr}`,
      );
    const refusal =
      /countersign requires Node .*, and this is Node 18\.\d+\.\d+\. Install a newer Node .*\n/u;
    const command = 'node_modules/countersign/bin/countersign.cjs';
    expect(await run(command, 'init', 'shop', '--yes')).toMatch(
      new RegExp(`^1 ${refusal.source}$`, 'u'),
    );
    expect(await readdir(project.folder)).not.toContain('shop');
    for (const entry of ['countersign', 'countersign/kit']) {
      const library = `import('${entry}').catch(({ message }) => console.log(message))`;
      expect(await run('--input-type=module', '--eval', library)).toMatch(refusal);
    }
    await older.remove();
  });

  it('say what the target openapi-types needs, and write it once that is installed', async () => {
    await expect(readdir(join(project.folder, 'node_modules/openapi-typescript'))).rejects.toThrow(
      'ENOENT',
    );
    const config = { contract: { openapi: 'api/openapi.yaml' }, scope: '@library' };
    await project.write(
      'types.config.json',
      JSON.stringify({ ...config, output: 'types', targets: ['openapi-types'] }),
    );
    const generate = ['countersign', 'generate', '--config', 'types.config.json'];
    const failure = await project.npx(...generate).catch(String);
    const [, words = ''] =
      /run `npm (install [^`]+)`/u.exec(failure.replaceAll(/\s+/gu, ' ')) ?? [];
    expect(words).toMatch(/^install --save-dev openapi-typescript@\S+ typescript@\S+$/u);
    await project.npm(...words.split(' '));
    await project.npx(...generate);
    expect(await readdir(join(project.folder, 'types/openapi-types/src'))).toEqual(['index.ts']);
    expect(await project.npx(...generate)).toContain('up to date');
  }, 120_000);
});
