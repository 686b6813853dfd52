import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll, createProject, node22, pack, repository, type Project } from './project.ts';

const run = promisify(execFile);
const generated = join(repository, 'generated');

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(generated, folder, 'package.json'), 'utf8')) as Manifest;
}

const packages = await Promise.all(
  (await readdir(generated, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(async (entry) => ({ folder: entry.name, ...(await readManifest(entry.name)) })),
);

describe.each(packages)('$name, packed', ({ folder, name, exports }) => {
  let project: Project;
  let tarball: string;

  beforeAll(async () => {
    await buildAll();
    project = await createProject('integrator');
    [tarball = ''] = await pack([name], join(project.folder, 'tarballs'));
    await project.npm('install', tarball, node22());
  }, 300_000);

  afterAll(() => project.remove());

  it('passes publint', async () => {
    const publint = join(repository, 'node_modules/publint/src/cli.js');
    await expect(
      run(process.execPath, [publint, 'run', tarball, '--strict']),
    ).resolves.toBeDefined();
  });

  it('has types that resolve everywhere an ES module does', async () => {
    const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    await expect(
      run(process.execPath, [attw, tarball, '--profile', 'esm-only']),
    ).resolves.toBeDefined();
  });

  it('carries licence, README and types', async () => {
    const files = await readdir(join(project.folder, 'node_modules', name));
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
  });

  it.each([
    ['Node 22', 'node'],
    ['the pinned Node', process.execPath],
  ])('can be imported on %s, every entry of it', async (_, node) => {
    const entries = Object.keys(exports).filter((entry) => !entry.includes('*'));
    await project.write(
      'import-all.js',
      entries
        .map((entry) => {
          const options = entry.endsWith('.json') ? ", { with: { type: 'json' } }" : '';
          return `console.log(Object.keys(await import(${JSON.stringify(name + entry.slice(1))}${options})).length > 0);`;
        })
        .join('\n'),
    );
    const printed =
      node === 'node'
        ? await project.npx('node', 'import-all.js')
        : (await run(node, ['import-all.js'], { cwd: project.folder })).stdout;
    expect(printed.trim().split('\n')).toEqual(entries.map(() => 'true'));
  });

  it('stands in the workspace as it stands in the manifest', async () => {
    const installed = JSON.parse(
      await readFile(join(project.folder, 'node_modules', name, 'package.json'), 'utf8'),
    ) as Manifest;
    expect(installed.exports).toEqual((await readManifest(folder)).exports);
  });
});
