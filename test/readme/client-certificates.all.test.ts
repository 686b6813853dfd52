import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, it, test } from 'vitest';
import { install } from '../packaging/project.ts';
import { repository } from '../targets/emit-project.ts';
import { copyRecipe, startTrial } from './client-certificates.ts';

const run = promisify(execFile);
const runtimes = join(repository, 'test/runtimes');

beforeAll(() => install(runtimes), 600_000);

it.each([
  ['Deno', 'deno.ts', '@deno/*/deno', ['run', '--no-remote', '--allow-all']],
  ['Bun', 'bun.ts', '@oven/bun-*/bin/bun', ['run']],
])(
  'calls and token requests from %s with %s carry the certificate',
  async (_, file, binary, options) => {
    await using trial = await startTrial(file);
    const outfile = join(trial.folder, 'main.js');
    await build({
      entryPoints: [join(trial.folder, 'main.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      conditions: ['countersign-source'],
    });
    const [program = ''] = globSync(join(runtimes, 'node_modules', binary));
    const { stdout } = await run(program, [...options, outfile], {
      cwd: trial.folder,
      env: { ...process.env, NODE_OPTIONS: '', ...trial.env },
      timeout: 60_000,
    });
    expect(JSON.parse(stdout)).toEqual([{ name: 'first' }]);
    expect(trial.arrived).toEqual(['/token first', '/cashout first']);
  },
);

test('the files for Node compile', async () => {
  await using trial = await startTrial('proxy.ts');
  const recipes = ['certificate.ts', 'renewing-certificate.ts', 'proxy.ts'];
  for (const file of recipes) await copyRecipe(file, join(trial.folder, file));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2024',
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    customConditions: ['countersign-source'],
  };
  const files = [...recipes, 'client.ts'];
  await writeFile(join(trial.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(repository, 'node_modules/ts7/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', trial.folder]);
  expect(stdout).toBe('');
}, 120_000);
