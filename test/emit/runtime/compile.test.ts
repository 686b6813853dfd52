import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import ownConfig from '../../../countersign.config.ts';
import type { Contract } from '../../../generator/contract/contract.ts';
import { emit } from '../../../generator/emit/emit.ts';
import { readContract } from '../../../generator/generate.ts';
import { packagesOfFrameworks } from '../../../generator/targets/printing/frameworks.ts';
import { runtimeEntries } from '../../../generator/targets/package/runtime-package.ts';
import { resolveTargets, targetNames } from '../../../generator/targets/registry.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { compile } from '../../targets/compile.ts';
import { repository } from '../../targets/emit-project.ts';
import {
  compilers,
  resolutionNames,
  resolutions,
  strictest,
} from '../../targets/strict-compile.ts';

let contract: Contract;

beforeAll(async () => {
  const read = await readContract({ ...ownConfig, targets: [] }, repository);
  if (read.contract === undefined) throw new Error('The contract has errors.');
  contract = read.contract;
});

/** What some modules import, if the application has it. */
const others = [
  ...Object.keys(packagesOfFrameworks),
  '@opentelemetry/api',
  'reflect-metadata',
  'rxjs',
  'undici-types',
];

/** Writes the whole runtime, and in a folder the adapters, as a generated project has them. */
async function writeRuntime(layout: 'packages' | 'folder'): Promise<string> {
  const folder = await temporaryFolder();
  const adapters = targetNames.filter((name) => name.startsWith('webhooks-'));
  const targets = ['contract', { use: 'webhooks', runtime: runtimeEntries }, ...adapters];
  const settings = { scope: '@acme', targets, layout };
  // Modules of the runtime are written as they are, and the rest need not be formatted here.
  const format = (_: string, text: string): Promise<string> => Promise.resolve(text);
  const own = layout === 'folder' ? /^runtime\/|\/adapter\.ts$/u : /^runtime\//u;
  const { files } = await emit(contract, await resolveTargets(targets), settings, { format });
  for (const { path, text } of files.filter((file) => own.test(file.path))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const name of others) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repository, 'node_modules', name), link, 'junction');
  }
  return folder;
}

test.each(compilers)(
  'the package compiles with its own settings: %s',
  async (compiler) => {
    const folder = await writeRuntime('packages');
    await expect(compile(compiler, folder, ['-p', 'runtime'])).resolves.toBeUndefined();
  },
  180_000,
);

test.each(
  compilers.flatMap((compiler) =>
    resolutionNames.map((resolution) => [compiler, resolution] as const),
  ),
)(
  'the folder compiles under every flag: %s, %s',
  async (compiler, resolution) => {
    const folder = await writeRuntime('folder');
    const compilerOptions = {
      ...strictest,
      ...resolutions[resolution],
      types: ['node'],
      // The types of frameworks are theirs to repair.
      skipLibCheck: true,
      declaration: true,
      isolatedDeclarations: true,
    };
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['runtime', '*/adapter.ts'] }),
    );
    await expect(compile(compiler, folder, ['-p', '.'])).resolves.toBeUndefined();
  },
  180_000,
);
