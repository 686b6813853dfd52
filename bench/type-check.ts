import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContracts } from './contracts.ts';
import { buildToolkit, generateAnew, heyApi, installPeers } from './generation.ts';
import { linkPackage } from './link-package.ts';
import { measureCommand, type Cost } from './measure-command.ts';

/** The cost of compiling the code of one generator. */
export interface TypeCheckCost {
  readonly of: string;
  readonly cost: Cost;
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

/** Compiles the code of this toolkit and of hey-api for GitHub REST `times` times, with TypeScript 5.9 and `strict`. */
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
    linkPackage(contract.folder, '@bench/contract', join(contract.folder, 'generated/contract'));
    linkPackage(contract.folder, 'zod', join(root, 'bench/peers/node_modules/zod'));
    const check = (of: string, include: readonly string[], options: object): TypeCheckCost => {
      const project = 'tsconfig.bench.json';
      writeFileSync(
        join(contract.folder, project),
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, include }),
      );
      const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', project];
      return { of, cost: measureCommand(words, { cwd: contract.folder, times, before: () => {} }) };
    };
    return [
      check('countersign: types, validators, client', ['generated/*/src'], {
        // The generated packages are read as sources, the client as it is published.
        customConditions: ['countersign-source'],
        paths: { '@countersign/client': [join(root, 'packages/client/dist/index.d.ts')] },
      }),
      check('hey-api: types, sdk, zod', ['hey-api'], {}),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
