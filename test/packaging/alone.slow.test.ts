import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import ownConfig from '../../countersign.config.ts';
import { generate } from '../../generator/generate.ts';
import { compile } from '../targets/compile.ts';
import { configureStrictly, expected, names, program } from './alone-program.ts';
import { buildAll, createProject, pack, type Project, repository } from './project.ts';

/** Compiles the program of a project under every flag, and runs it; returns what it prints. */
async function runProgram(project: Project, path: string): Promise<unknown> {
  await configureStrictly(project, path);
  await compile('ts7', project.folder, ['-p', '.']);
  const options = { cwd: project.folder, env: { PATH: process.env['PATH'] }, timeout: 60_000 };
  const { stdout } = await promisify(execFile)(process.execPath, [path], options);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

test('packages are installed from their tarballs without a registry, and call, receive and store', async () => {
  await buildAll();
  const project = await createProject('alone');
  try {
    const tarballs = await pack(
      names.map((name) => `@instant-payment/${name}`),
      join(project.folder, 'tarballs'),
    );
    expect(tarballs).toHaveLength(names.length);
    // The cache is empty, so that nothing else can be installed.
    const cache = join(project.folder, 'cache');
    const offline = ['--offline', '--no-audit', '--no-fund', `--cache=${cache}`];
    await project.npm('install', ...offline, ...tarballs);
    const moduleOf = (name: string, entry?: string): string =>
      ['@instant-payment', name, ...(entry === undefined ? [] : [entry])].join('/');
    await project.write('main.ts', program(moduleOf));
    expect(await runProgram(project, 'main.ts')).toEqual(expected);
  } finally {
    await project.remove();
  }
}, 300_000);

test('a folder needs no installation, and calls, receives and stores', async () => {
  const project = await createProject('alone-folder');
  try {
    const { openapi, asyncapi } = ownConfig.contract as { openapi: string; asyncapi: string };
    const config = {
      contract: { openapi: join(repository, openapi), asyncapi: join(repository, asyncapi) },
      targets: ['contract', 'client', { use: 'webhooks', inbox: ['sqlite'] }, 'webhooks-node'],
      layout: 'folder',
      importExtension: '.ts',
      output: 'src/generated',
    } as const;
    expect(await generate(config, { folder: project.folder })).toMatchObject({ status: 'written' });
    const moduleOf = (name: string, entry = name === 'runtime' ? '' : 'index'): string =>
      `./generated/${name}/${entry === 'inbox' || entry === 'inbox/sqlite' ? `${entry}/index` : entry}.ts`;
    await mkdir(join(project.folder, 'src'), { recursive: true });
    await writeFile(join(project.folder, 'src/main.ts'), program(moduleOf));
    expect(await runProgram(project, 'src/main.ts')).toEqual(expected);
  } finally {
    await rm(project.folder, { recursive: true });
  }
}, 300_000);
