import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContracts } from './contracts.ts';
import { editFile, type EditCost } from './edit-file.ts';
import { buildToolkit, generateAnew, heyApi, installPeers } from './generation.ts';
import { linkPackage } from './link-package.ts';
import { measureCommand, type Cost } from './measure-command.ts';

/** The cost of compiling the code of one generator, and of editing a file that imports it. */
export interface TypeCheckCost {
  readonly of: string;
  readonly cost: Cost;
  readonly edit: EditCost;
}

interface Checked {
  readonly include: readonly string[];
  /** The compiler options of this code alone. */
  readonly options: object;
  /** A module that calls an operation. */
  readonly program: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));

/** The compiler options for both. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'preserve',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

/**
 * Compiles the code of this toolkit and of hey-api for GitHub REST `times` times, with TypeScript 5.9 and `strict`, and
 * edits a file that calls an operation `times` times, as an editor does.
 */
export async function benchTypeCheck(
  times: number,
  operations: number,
): Promise<readonly TypeCheckCost[]> {
  buildToolkit();
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const contract = (await writeContracts(folder, operations)).find(
      ({ name }) => name === 'GitHub REST',
    );
    if (contract === undefined) throw new Error('GitHub REST is not among the contracts.');
    generateAnew(contract, 1);
    heyApi(['@hey-api/typescript', '@hey-api/sdk', 'zod'])(contract, 1);
    for (const name of ['runtime', 'contract', 'client'])
      linkPackage(contract.folder, `@bench/${name}`, join(contract.folder, 'generated', name));
    linkPackage(contract.folder, 'zod', join(root, 'bench/peers/node_modules/zod'));
    const check = async (
      of: string,
      { include, options, program }: Checked,
    ): Promise<TypeCheckCost> => {
      const project = 'tsconfig.bench.json';
      const write = (name: string, value: object): void =>
        writeFileSync(join(contract.folder, name), JSON.stringify(value));
      write(project, { compilerOptions: { ...compilerOptions, ...options }, include });
      const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', project];
      const cost = measureCommand(words, { cwd: contract.folder, times, before: () => {} });
      write('tsconfig.json', {
        compilerOptions: { ...compilerOptions, ...options },
        files: ['app.ts'],
      });
      return { of, cost, edit: await editFile(join(contract.folder, 'app.ts'), program, times) };
    };
    return [
      await check('countersign: types, validators, client', {
        include: ['generated/*/src'],
        // The generated packages are read as sources.
        options: { customConditions: ['countersign-source'] },
        program: `import { createClient } from '@bench/client';
export const response = await createClient({} as never).metaRoot();
`,
      }),
      await check('hey-api: types, sdk, zod', {
        include: ['hey-api'],
        options: {},
        program: `import { metaRoot } from './hey-api/index.ts';
export const response = await metaRoot();
`,
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
