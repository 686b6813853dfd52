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
import { measureFiles, type Files } from './measure-files.ts';

/** The cost of one way to generate packages from a contract, and what it has written. */
export interface GenerationCost {
  readonly contract: string;
  readonly way: string;
  readonly cost: Cost;
  readonly written: Files;
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
      for (const { way, output, measure, isForMore = false } of ways) {
        if (isForMore && !contract.hasMore) continue;
        const cost = measure(contract, times);
        const written = measureFiles(join(contract.folder, output));
        costs.push({ contract: contract.name, way, cost, written });
      }
    return costs;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Measure = (contract: BenchContract, times: number) => Cost;

interface GenerationWay {
  readonly way: string;
  /** The folder or file that is written. */
  readonly output: string;
  readonly measure: Measure;
  /** Whether it is left out for a contract of which only types, validators and a client are generated. */
  readonly isForMore?: boolean;
}

const alike = 'countersign: types, validators, client';

const ways: readonly GenerationWay[] = [
  { way: alike, output: 'generated', measure: anew('alike') },
  { way: `${alike}; nothing changed`, output: 'generated', measure: again('alike') },
  {
    way: `${alike}; one schema changed`,
    output: 'generated',
    measure: again('alike', (contract, run) => contract.edit(run)),
  },
  { way: `${alike}; caches of Node empty`, output: 'generated', measure: generateAfresh },
  { way: 'countersign: types, client', output: 'generated', measure: anew('bare') },
  {
    way: 'countersign: everything',
    output: 'generated',
    measure: anew('everything'),
    isForMore: true,
  },
  {
    way: 'countersign: everything; nothing changed',
    output: 'generated',
    measure: again('everything'),
    isForMore: true,
  },
  {
    way: 'hey-api: types, sdk',
    output: 'hey-api',
    measure: heyApi(['@hey-api/typescript', '@hey-api/sdk']),
  },
  { way: peer, output: 'hey-api', measure: heyApi(['@hey-api/typescript', '@hey-api/sdk', 'zod']) },
  {
    way: 'kubb: types, client, zod',
    output: 'kubb',
    measure: ({ folder, document }, times) =>
      measureCommand([here('peers/run-kubb.mjs'), document, 'kubb'], {
        cwd: folder,
        times,
        before: () => setAside(folder, 'kubb'),
      }),
  },
  {
    way: 'openapi-typescript: types',
    output: 'types.ts',
    measure: ({ folder, document }, times) =>
      measureCommand(
        [here('peers/node_modules/openapi-typescript/bin/cli.js'), document, '-o', 'types.ts'],
        { cwd: folder, times, before: () => {} },
      ),
  },
];

/** Generates with a configuration into an empty folder, with Node's cache of compiled code. */
function anew(name: keyof BenchContract['configurations']): Measure {
  return (contract, times) =>
    generate(contract, times, () => removeOutput(contract), configured(contract, name));
}

/** Generates with a configuration again, after a change of the contract if there is one. */
function again(
  name: keyof BenchContract['configurations'],
  change: (contract: BenchContract, run: number) => void = () => {},
): Measure {
  return (contract, times) =>
    generate(contract, times, (run) => change(contract, run), configured(contract, name));
}

function configured(
  { configurations }: BenchContract,
  name: keyof BenchContract['configurations'],
): readonly string[] {
  return ['--config', configurations[name]];
}

/** Generates into an empty folder, with Node's cache of compiled code. */
export function generateAnew(contract: Pick<BenchContract, 'folder'>, times: number): Cost {
  return generate(contract, times, () => removeOutput(contract));
}

/** Checks that what is generated is up to date. */
export function checkAgain({ folder }: Pick<BenchContract, 'folder'>, times: number): Cost {
  return measureCommand([toolkit, 'check', '--quiet'], { cwd: folder, times, before: () => {} });
}

/** Generates types and a client, without validators. */
export function generateBare(contract: BenchContract, times: number): Cost {
  return anew('bare')(contract, times);
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
  return measureCommand([toolkit, 'generate', '--quiet', ...configured(contract, 'alike')], {
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
  run('npm', ['run', 'build'], here('..'));
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
