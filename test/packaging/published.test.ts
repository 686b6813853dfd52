import { execFile } from 'node:child_process';
import { access, glob, readFile, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll, createProject, node22, pack, repository, type Project } from './project.ts';

const run = promisify(execFile);

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Every package of this workspace, by name. */
const packages = new Map<string, Manifest & { readonly folder: string }>();
for await (const path of glob(
  ['{generator,templates}/package.json', '{packages,generated}/*/package.json'],
  { cwd: repository },
)) {
  const manifest = JSON.parse(await readFile(join(repository, path), 'utf8')) as Manifest;
  packages.set(manifest.name, { ...manifest, folder: dirname(path) });
}

/** The packages that a package works with but does without, and the versions of them. */
function optionalPeers(manifest: Manifest): readonly (readonly [name: string, range: string])[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  return Object.entries(peerDependencies).filter(
    ([peer]) => peerDependenciesMeta[peer]?.optional === true,
  );
}

/** A package and the packages of this workspace that it needs, each once. */
function withDependencies(
  name: string,
  known: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  let names: ReadonlySet<string> = new Set([...known, name]);
  for (const other of Object.keys(packages.get(name)?.dependencies ?? {})) {
    if (packages.has(other) && !names.has(other)) names = withDependencies(other, names);
  }
  return names;
}

const outside = await createProject('tarballs');
const tarballs = new Map<string, string>();

beforeAll(async () => {
  await buildAll();
  const names = [...packages.keys()];
  for (const path of await pack(names, outside.folder)) {
    const name = names.find((candidate) =>
      basename(path).startsWith(`${candidate.replace(/^@/, '').replace('/', '-')}-`),
    );
    tarballs.set(name ?? path, path);
  }
}, 300_000);

afterAll(() => outside.remove());

describe.each([...packages.values()])('$name, packed', (manifest) => {
  const { name, folder, exports = {} } = manifest;
  const peers = optionalPeers(manifest);
  const entries = Object.keys(exports).filter((entry) => !entry.includes('*'));
  const hasCode = entries.some((entry) => entry !== './package.json' && !entry.endsWith('.json'));

  it('passes publint', async () => {
    const publint = join(repository, 'node_modules/publint/src/cli.js');
    const tarball = tarballs.get(name) ?? '';
    await expect(
      run(process.execPath, [publint, 'run', tarball, '--strict']),
    ).resolves.toBeDefined();
  });

  it.runIf(hasCode)('has types that resolve everywhere an ES module does', async () => {
    const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const tarball = tarballs.get(name) ?? '';
    await expect(
      run(process.execPath, [attw, tarball, '--profile', 'esm-only']),
    ).resolves.toBeDefined();
  });

  it('carries licence and README', async () => {
    expect(await readdir(join(repository, folder))).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md']),
    );
    const { stdout } = await run('tar', ['-tzf', tarballs.get(name) ?? '']);
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/package.json']),
    );
  });

  describe.runIf(hasCode)('in an empty project', () => {
    let project: Project;

    beforeAll(async () => {
      project = await createProject('integrator');
      const needed = [...withDependencies(name)].map((other) => tarballs.get(other) ?? other);
      await project.npm('install', ...needed, node22());
      const lines = entries.map((entry) => {
        const options = entry.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
        return `console.log(Object.keys(await import(${JSON.stringify(name + entry.slice(1))}${options})).length > 0);`;
      });
      await project.write('import-all.js', lines.join('\n'));
    }, 300_000);

    afterAll(() => project.remove());

    it.runIf(peers.length > 0)('can be imported without its optional peers', async () => {
      for (const [peer] of peers)
        await expect(access(join(project.folder, 'node_modules', peer))).rejects.toThrow('ENOENT');
      await project.write('import-main.js', `import ${JSON.stringify(name)};`);
      await run(process.execPath, ['import-main.js'], { cwd: project.folder });
    });

    describe('with its optional peers', () => {
      beforeAll(async () => {
        if (peers.length > 0)
          await project.npm('install', ...peers.map(([peer, range]) => `${peer}@${range}`));
      }, 300_000);

      it('can be imported on Node 22, every entry of it', async () => {
        expect(await project.npx('node', '--version')).toMatch(/^v22\./);
        const printed = await project.npx('node', 'import-all.js');
        expect(printed.trim().split('\n')).toEqual(entries.map(() => 'true'));
      });

      it('can be imported on the pinned Node, every entry of it', async () => {
        const { stdout } = await run(process.execPath, ['import-all.js'], { cwd: project.folder });
        expect(stdout.trim().split('\n')).toEqual(entries.map(() => 'true'));
      });
    });
  });
});
