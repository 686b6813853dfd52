import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll, createProject, node22, pack, repository, type Project } from './project.ts';

describe("the toolkit's tarballs in an empty project with Node 22 and TypeScript 7 of its own", () => {
  let project: Project;

  beforeAll(async () => {
    await buildAll();
    project = await createProject('other-team');
    const tarballs = await pack(
      [
        'countersign',
        '@countersign/templates',
        '@countersign/signing',
        '@countersign/client',
        '@countersign/webhooks',
      ],
      join(project.folder, 'tarballs'),
    );
    await project.npm('install', '--save-dev', ...tarballs, 'typescript@7.0.2', node22());
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
  targets: targetNames,
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
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'openapi.json', 'schemas', 'src']),
    );
    await project.npx('countersign', 'check');
  });

  it('write an application that receives, and have nothing to add to it afterwards', async () => {
    await project.npx('countersign', 'scaffold', 'express', 'apps/receiver');
    const files = await readdir(join(project.folder, 'apps/receiver/src'));
    expect(files).toEqual(expect.arrayContaining(['handlers', 'main.ts', 'webhooks.ts']));
    const again = await project.npx('countersign', 'scaffold', 'express', 'apps/receiver');
    expect(again).toContain('apps/receiver: nothing to add');
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
});
