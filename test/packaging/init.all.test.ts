import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAll,
  createProject,
  node22,
  packToolkit,
  repository,
  type Project,
} from './project.ts';

/** A server, an application that is compiled, one that is bundled, and a Worker: others differ from these in names. */
const different = ['node', 'nestjs', 'nextjs', 'cloudflare'];

describe("a new project, from the toolkit's tarball", () => {
  let team: Project;

  beforeAll(async () => {
    await buildAll();
    team = await createProject('new-team');
    const tarball = await packToolkit(join(team.folder, 'tarballs'));
    // The machine's own Node may be too old to read a configuration in TypeScript.
    await team.npm('install', '--prefer-offline', '--save-dev', node22(), tarball);
  }, 300_000);

  afterAll(() => team.remove());

  it('is what the first page shows', async () => {
    const page = await readFile(join(repository, 'README.md'), 'utf8');
    const [, quick = ''] = /^## Quick start\n([^]*?)^## /mu.exec(page) ?? [];
    const [first] = Array.from(quick.matchAll(/^```sh\n([^]*?)^```$/gmu), ([, text]) => text);
    expect(first?.split('\n')).toEqual([
      'npm ci',
      'npm run pack',
      'npx countersign init ../shop --yes',
      'cd ../shop && npm install && npm test',
      '',
    ]);
  });

  it.each(different)(
    'installs, generates, checks, lints and passes its tests at once: %s',
    async (framework) => {
      await team.npx('countersign', 'init', framework, '--yes', '--framework', framework);
      const npm = (...args: readonly string[]): Promise<string> =>
        team.npm('--prefix', join(team.folder, framework), ...args);
      // The project lists the tarball that the toolkit was installed from.
      await npm('install', '--prefer-offline');
      expect(await npm('run', 'generate')).toContain('generated: up to date');
      expect(await npm('run', 'check')).toContain('generated: up to date');
      await npm('run', 'lint');
      await npm('test');
      await npm('run', 'typecheck');
      // Without secrets: the environment has none.
      await npm('run', 'build', '--workspace', 'apps', '--if-present');
      const manifest = JSON.parse(
        await readFile(join(team.folder, framework, 'package-lock.json'), 'utf8'),
      ) as { readonly packages: object };
      const generated = await readdir(join(team.folder, framework, 'generated'));
      expect(generated).toContain('contract');
      for (const name of generated.filter((file) => file !== 'reference' && !file.startsWith('.')))
        expect(manifest.packages).toHaveProperty([`generated/${name}`]);
    },
    300_000,
  );
});
