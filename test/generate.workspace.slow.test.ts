import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../generator/config/config.ts';
import { generate } from '../generator/generate.ts';
import { runInProcess } from './cli/run-in-process.ts';
import { temporaryFolder } from './output/temporary-folder.ts';
import { readTree, writeTree } from './output/tree.ts';
import { asyncapi, openapi } from './select/library.ts';

const config: Config = {
  contract: { openapi: 'api/openapi.yaml', asyncapi: 'api/asyncapi.yaml' },
  scope: '@library',
  output: 'generated',
  targets: ['contract', 'client', 'webhooks', 'webhooks-express', 'simulator', 'reference'],
};

async function createLibrary(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'api/openapi.yaml': openapi,
    'api/asyncapi.yaml': asyncapi,
    'countersign.config.json': JSON.stringify(config),
    'package.json': JSON.stringify({ workspaces: ['generated/*', 'apps/*'] }),
    'node_modules/.keep': '',
    ...files,
  });
  return folder;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The ranges by which the packages of a folder require generated packages. */
async function rangesIn(folder: string): Promise<readonly string[]> {
  const tree = await readTree(folder);
  const paths = Object.keys(tree).filter((path) => path.endsWith('/package.json'));
  return paths.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(tree[path] ?? '') as Manifest;
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name]) => name.startsWith('@library/'))
      .map(([, range]) => range);
  });
}

/** The commands that add one package of the library, in the READMEs and on the reference page. */
async function addCommandsIn(folder: string): Promise<readonly string[]> {
  const tree = await readTree(folder);
  const texts = Object.entries(tree).filter(([path]) => /(?:README\.md|\.html)$/u.test(path));
  const commands = texts.flatMap(([, text]) =>
    Array.from(
      text.matchAll(
        /(?:npm install|pnpm add|yarn add|bun add)(?: (?:@library|\.\/generated)\/[\w-]+(?:@[\w.:*]+)?)+/gu,
      ),
      ([command]) => command,
    ),
  );
  return [...new Set(commands)].toSorted();
}

const pnpm = { 'pnpm-workspace.yaml': "packages: ['generated/*', 'apps/*']\n" };

describe('generated packages in a workspace', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['npm', {}, '1.0.0', 'npm install FOLDER'],
    ['pnpm', pnpm, 'workspace:*', 'pnpm add NAME@workspace:*'],
    ['yarn', { '.yarnrc.yml': '' }, 'workspace:*', 'yarn add NAME@workspace:*'],
    ['yarn', { 'yarn.lock': '# yarn lockfile v1' }, '1.0.0', 'yarn add FOLDER'],
    ['bun', { 'bun.lock': '' }, 'workspace:*', 'bun add NAME@workspace:*'],
  ])(
    'refer to each other as its manager knows them: %s, %j',
    async (manager, files, range, add) => {
      const folder = await createLibrary(files);
      const generation = await generate(config, { folder });
      expect(generation.manager).toBe(manager);
      const ranges = await rangesIn(join(folder, 'generated'));
      expect(ranges.length).toBeGreaterThan(3);
      expect(new Set(ranges)).toEqual(new Set([range]));
      expect((await generate(config, { folder, mode: 'check' })).status).toBe('unchanged');

      const commands = await addCommandsIn(join(folder, 'generated'));
      expect(commands).toEqual(
        ['client', 'contract', 'webhooks', 'webhooks-express']
          .map((name) =>
            add.replace('NAME', `@library/${name}`).replace('FOLDER', `./generated/${name}`),
          )
          .toSorted(),
      );
    },
  );

  it('state names where the packages are published, and folders where no registry may be asked', async () => {
    const names = ['client', 'contract', 'webhooks', 'webhooks-express'];
    const published = await createLibrary(pnpm);
    const packageJson = { publishConfig: { access: 'public' } } as const;
    await generate({ ...config, packageJson }, { folder: published });
    expect(await addCommandsIn(join(published, 'generated'))).toEqual(
      names.map((name) => `npm install @library/${name}`),
    );
    const alone = await createLibrary({ 'package.json': '{}', 'pnpm-lock.yaml': '' });
    expect((await generate(config, { folder: alone })).manager).toBe('pnpm');
    // npm would ask a registry for what the others require.
    expect(await addCommandsIn(join(alone, 'generated'))).toEqual(
      [
        ['client', 'contract', 'runtime'],
        ['contract'],
        ['webhooks', 'contract', 'runtime'],
        ['webhooks-express', 'webhooks', 'contract', 'runtime'],
      ].map((all) => `npm install ${all.map((name) => `./generated/${name}`).join(' ')}`),
    );
  });

  it('state commands that change with the manager, even where ranges do not', async () => {
    const folder = await createLibrary(pnpm);
    await generate(config, { folder });
    await writeTree(folder, {
      'package.json': JSON.stringify({ packageManager: 'bun@1.4.5', workspaces: ['generated/*'] }),
    });
    expect((await generate(config, { folder, mode: 'check' })).status).toBe('differs');
    expect((await generate(config, { folder })).status).toBe('written');
    expect((await addCommandsIn(join(folder, 'generated')))[0]).toMatch(/^bun add /u);
  });

  it('change with the manager, and the check notices it', async () => {
    const folder = await createLibrary();
    await generate(config, { folder });
    expect((await generate(config, { folder })).status).toBe('unchanged');
    await writeTree(folder, pnpm);
    expect((await generate(config, { folder, mode: 'check' })).status).toBe('differs');
    expect((await generate(config, { folder })).status).toBe('written');
    expect(new Set(await rangesIn(join(folder, 'generated')))).toEqual(new Set(['workspace:*']));
  });

  it('keep the versions that changesets writes', async () => {
    const folder = await createLibrary(pnpm);
    const kept: Config = { ...config, version: 'changesets' };
    await generate(kept, { folder });
    const path = 'generated/contract/package.json';
    const text = (await readTree(folder))[path] ?? '';
    await writeTree(folder, { [path]: text.replace('"1.0.0"', '"1.1.0"') });
    expect((await generate(kept, { folder, mode: 'check' })).status).toBe('unchanged');
  });

  it('list the compiler that builds them, and the peers that they compile with', async () => {
    const folder = await createLibrary();
    await generate(config, { folder });
    const tree = await readTree(join(folder, 'generated'));
    for (const [path, text] of Object.entries(tree)) {
      if (!path.endsWith('/package.json')) continue;
      const {
        peerDependencies = {},
        peerDependenciesMeta = {},
        devDependencies,
      } = JSON.parse(text) as Manifest & {
        peerDependencies?: object;
        peerDependenciesMeta?: object;
      };
      const required = Object.keys(peerDependencies).filter(
        (name) => !(name in peerDependenciesMeta),
      );
      expect(Object.keys(devDependencies ?? {}), path).toEqual(
        expect.arrayContaining(['typescript', ...required]),
      );
    }
  });

  it('are what a scaffolded application of the workspace refers to', async () => {
    const folder = await createLibrary(pnpm);
    await generate(config, { folder });
    const chosen = ['--authenticate', 'shared-secret'];
    const scaffold = async (path: string): Promise<string> =>
      (await runInProcess(folder, ['scaffold', 'express', path, ...chosen])).out;
    expect(await scaffold('apps/receiver')).toContain('  pnpm install\n  cp .env.example .env\n');
    expect(new Set(await rangesIn(join(folder, 'apps')))).toEqual(new Set(['workspace:*']));
    expect(await scaffold('tools/receiver')).toContain('in the workspaces of pnpm-workspace.yaml');
    expect(new Set(await rangesIn(join(folder, 'tools')))).toEqual(
      new Set(['file:../../generated/simulator', 'file:../../generated/webhooks-express']),
    );
  });

  it('state what registries need, each with its folder', async () => {
    const folder = await createLibrary();
    const packageJson = {
      repository: { url: 'git+https://git.example/library.git', directory: 'generated' },
      author: 'The "library"',
      keywords: ['books'],
      homepage: 'https://library.example',
      publishConfig: { access: 'public', provenance: true },
    } as const;
    await generate({ ...config, packageJson }, { folder });
    const tree = await readTree(join(folder, 'generated'));
    for (const target of ['contract', 'webhooks-express'])
      expect(JSON.parse(tree[`${target}/package.json`] ?? '')).toMatchObject({
        ...packageJson,
        repository: { ...packageJson.repository, directory: `generated/${target}` },
      });
  });
});
