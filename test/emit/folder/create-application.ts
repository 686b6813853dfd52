import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../../generator/config/config.ts';
import { generate } from '../../../generator/generate.ts';
import type { Generation } from '../../../generator/output/generation.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { type Tree, writeTree } from '../../output/tree.ts';
import { repository } from '../../targets/emit-project.ts';
import { compileStrictly, type resolutionNames } from '../../targets/strict-compile.ts';

/** What generated code of these tests imports. */
export const needed: readonly string[] = ['@types/node', 'express'];

/** An application with generated code among its own. */
export interface Application {
  readonly folder: string;
  readonly generation: Generation;
}

/** Generates into `src/generated` of a new application, which has the packages that this imports. */
export async function createApplication(
  files: Tree,
  config: Pick<Config, 'contract' | 'targets'> & Partial<Config>,
): Promise<Application> {
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'package.json': JSON.stringify({ type: 'module', dependencies: { express: '^5.0.0' } }),
    ...files,
  });
  for (const name of [...needed, '@types/express', 'undici-types']) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repository, 'node_modules', name), link, 'junction');
  }
  const layout = { layout: 'folder', output: 'src/generated' } as const;
  return { folder, generation: await generate({ ...layout, ...config }, { folder }) };
}

/** Runs a program of an application; answers with what it prints. */
export async function run(folder: string, file: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', file],
    { cwd: folder },
  );
  return JSON.parse(stdout);
}

/** Compiles an application under every flag; rejects with the errors. */
export async function compileApplication(
  folder: string,
  resolution: (typeof resolutionNames)[number],
): Promise<void> {
  await compileStrictly(folder, ['src'], {
    compiler: 'ts7',
    from: 'source',
    withRuntimes: true,
    withFrameworks: true,
    resolution,
  });
}
