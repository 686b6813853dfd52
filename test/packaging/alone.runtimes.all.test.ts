import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configureStrictly, expected, names, program } from './alone-program.ts';
import {
  buildAll,
  createProject,
  install,
  nodePackage,
  pack,
  type Project,
  repository,
} from './project.ts';

const run = promisify(execFile);
const runtimes = join(repository, 'test/runtimes');
let project: Project;

const moduleOf = (name: string, entry?: string): string =>
  ['@instant-payment', name, ...(entry === undefined ? [] : [entry])].join('/');

beforeAll(async () => {
  await buildAll();
  await install(runtimes);
  project = await createProject('alone-runtimes');
  const tarballs = await pack(
    names.map((name) => `@instant-payment/${name}`),
    join(project.folder, 'tarballs'),
  );
  const cache = join(project.folder, 'cache');
  await project.npm('install', '--offline', `--cache=${cache}`, ...tarballs);
  await project.write('main.ts', program(moduleOf));
  for (const [file, isStored] of [
    ['stored.js', true],
    ['handled.js', false],
  ] as const)
    await project.write(
      file,
      (await transform(program(moduleOf, isStored), { loader: 'ts', target: 'es2022' })).code,
    );
}, 300_000);

afterAll(() => project.remove());

/** Installs a release of Node in a project of its own; returns the path of its binary. */
async function nodeOf(version: string): Promise<string> {
  const other = `node-${version}`;
  await project.npm('install', '--no-save', '--prefix', other, nodePackage(version));
  return found(join(project.folder, other, 'node_modules/node-*/bin/node'));
}

function found(pattern: string): string {
  const [path] = globSync(pattern);
  if (path === undefined) throw new Error(`No runtime at ${pattern}.`);
  return path;
}

const denoPermissions = ['--allow-net', '--allow-read', '--allow-write', '--allow-env'];

/** A runtime, what runs a file on it, and the programs: the inbox in SQLite needs Node 22.13, or a runtime with its module. */
test.each([
  ['Node 20.12, the oldest,', async () => [await nodeOf('20.12.0')], ['handled']],
  [
    'Node 22.13, the oldest with an inbox in SQLite,',
    async () => [await nodeOf('22.13.0')],
    ['handled', 'stored'],
  ],
  ['the newest Node', async () => [process.execPath], ['handled', 'stored']],
  [
    'Bun',
    async () => [found(join(runtimes, 'node_modules/@oven/bun-*/bin/bun')), '--no-install'],
    ['handled'],
  ],
  [
    'Deno',
    async () => [
      found(join(runtimes, 'node_modules/@deno/*/deno')),
      'run',
      '--no-remote',
      '--no-check',
      ...denoPermissions,
    ],
    ['handled', 'stored'],
  ],
] as const)(
  '%s calls, and receives as its programs say',
  async (_, command, programs) => {
    const [file = '', ...words] = await command();
    for (const name of programs) {
      const { NODE_OPTIONS: _options, ...env } = process.env;
      const options = { cwd: project.folder, env, timeout: 60_000 };
      const { stdout } = await run(file, [...words, `${name}.js`], options);
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), name).toEqual(expected);
    }
  },
  180_000,
);

test('the oldest TypeScript compiles it with every flag', async () => {
  await project.npm('install', '--no-save', '--prefix', 'compiler', 'typescript@5.8.3');
  await configureStrictly(project, 'main.ts');
  const tsc = join(project.folder, 'compiler/node_modules/typescript/bin/tsc');
  await expect(
    run(process.execPath, [tsc, '-p', '.', '--noEmit'], { cwd: project.folder }),
  ).resolves.toMatchObject({ stdout: '' });
}, 180_000);
