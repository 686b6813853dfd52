import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeContracts, type BenchContract } from './contracts.ts';
import { measureCommand, type Cost } from './measure-command.ts';

/** The cost of one way to generate packages from a contract. */
export interface GenerationCost {
  readonly contract: string;
  readonly way: string;
  readonly cost: Cost;
}

/** The peer that the aims refer to. */
export const peer = 'hey-api: types, sdk, zod';

/** The published toolkit. */
const toolkit = fileURLToPath(new URL('../generator/dist/cli.js', import.meta.url));

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Generates from each contract with this toolkit and with its peers, `times` times each.
 * @param operations the number of operations that remain of GitHub's contracts
 */
export async function benchGeneration(
  times: number,
  operations: number,
): Promise<readonly GenerationCost[]> {
  buildToolkit();
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const costs: GenerationCost[] = [];
    for (const contract of await writeContracts(folder, operations))
      for (const [way, measure] of ways)
        costs.push({ contract: contract.name, way, cost: measure(contract, times) });
    return costs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Measure = (contract: BenchContract, times: number) => Cost;

const ways: readonly (readonly [way: string, measure: Measure])[] = [
  ['countersign', generateAnew],
  ['countersign, nothing changed', (contract, times) => generate(contract, times, () => {})],
  [
    'countersign, one schema changed',
    (contract, times) => generate(contract, times, (run) => contract.edit(run)),
  ],
  ['countersign, caches of Node empty', generateAfresh],
  ['countersign: types, client', generateBare],
  ['hey-api: types, sdk', heyApi(['@hey-api/typescript', '@hey-api/sdk'])],
  [peer, heyApi(['@hey-api/typescript', '@hey-api/sdk', 'zod'])],
  [
    'kubb: types, client, zod',
    ({ folder, document }, times) =>
      measureCommand([here('peers/run-kubb.mjs'), document, 'kubb'], {
        cwd: folder,
        times,
        before: () => setAside(folder, 'kubb'),
      }),
  ],
  [
    'openapi-typescript: types',
    ({ folder, document }, times) =>
      measureCommand(
        [here('peers/node_modules/openapi-typescript/bin/cli.js'), document, '-o', 'types.ts'],
        { cwd: folder, times, before: () => {} },
      ),
  ],
];

/** Generates into an empty folder, with Node's cache of compiled code. */
export function generateAnew(contract: Pick<BenchContract, 'folder'>, times: number): Cost {
  return generate(contract, times, () => removeOutput(contract));
}

/** Generates types and a client, without validators. */
export function generateBare(contract: BenchContract, times: number): Cost {
  const words = ['--config', contract.bareConfiguration];
  return generate(contract, times, () => removeOutput(contract), words);
}

function generate(
  { folder }: Pick<BenchContract, 'folder'>,
  times: number,
  before: (run: number) => void,
  words: readonly string[] = [],
): Cost {
  return measureCommand([toolkit, 'generate', '--quiet', ...words], {
    cwd: folder,
    times,
    before,
  });
}

/** Moves what a run has generated and cached away. */
export function removeOutput({ folder }: Pick<BenchContract, 'folder'>): void {
  setAside(folder, 'generated');
  setAside(folder, 'node_modules/.cache');
}

/**
 * Moves files away until the bench is over. After thousands of deletions, ext4 takes long to create files, because it
 * does not reuse the deleted inodes for a while.
 */
function setAside(folder: string, path: string): void {
  if (!existsSync(join(folder, path))) return;
  const aside = join(folder, 'aside');
  mkdirSync(aside, { recursive: true });
  renameSync(join(folder, path), join(mkdtempSync(join(aside, 'run-')), 'was'));
}

/** Generates as on a new machine, without Node's cache of compiled code. */
function generateAfresh(contract: BenchContract, times: number): Cost {
  const cache = join(contract.folder, 'compile-cache');
  return measureCommand([toolkit, 'generate', '--quiet'], {
    cwd: contract.folder,
    times,
    environment: { NODE_COMPILE_CACHE: cache },
    before() {
      removeOutput(contract);
      setAside(contract.folder, 'compile-cache');
    },
  });
}

/** Generates with hey-api into the emptied folder `hey-api`. */
export function heyApi(plugins: readonly string[]): Measure {
  return ({ folder, document }, times) =>
    measureCommand(
      [
        here('peers/node_modules/@hey-api/openapi-ts/dist/run.mjs'),
        '--no-log-file',
        '--silent',
        `--input=${document}`,
        '--output=hey-api',
        '--plugins',
        ...plugins,
      ],
      {
        cwd: folder,
        times,
        before: () => setAside(folder, 'hey-api'),
      },
    );
}

/** Compiles the toolkit as it is published. */
export function buildToolkit(): void {
  run('node_modules/.bin/tsc', ['-b', 'tsconfig.build.json'], here('..'));
  run(process.execPath, ['generator/targets/write-prepared.ts'], here('..'));
  run(process.execPath, ['packages/simulator/write-consoles.ts'], here('..'));
}

/** Installs the peers from their lockfile, unless that has been done before. */
export function installPeers(): void {
  const lock = readFileSync(here('peers/package-lock.json'));
  const installed = here('peers/node_modules/.installed.json');
  if (existsSync(installed) && readFileSync(installed).equals(lock)) return;
  run('npm', ['ci'], here('peers'));
  writeFileSync(installed, lock);
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`);
}
