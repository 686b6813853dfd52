import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../generator/config/config.ts';
import { buildToolkit } from '../generation.ts';

/** A checked-out revision of this repository, whose code is run by command lines alone. */
export interface Revision {
  readonly name: string;
  readonly root: string;
  /** What precedes the file of each script: flags of Node. */
  readonly flags: readonly string[];
  /** The file of the command. */
  readonly cli: string;
  /** What the revision's own configuration has. */
  readonly config: Pick<Config, 'contract' | 'output' | 'targets'> & { readonly scope: string };
}

/** This repository. */
export const repository: string = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the code in this repository, uncommitted changes included, as it is published. */
export function buildWorkingTree(): Revision {
  buildToolkit();
  return describe('working tree', repository);
}

/** Returns the code in a checked-out repository, run from source, which needs no build. */
export function fromSource(name: string, root: string): Revision {
  const revision = describe(name, root);
  return {
    ...revision,
    flags: ['--conditions=countersign-source'],
    cli: join(revision.cli, '../..', 'cli.ts'),
  };
}

/** Clones this repository into an empty folder, without its files. */
export function cloneInto(folder: string): void {
  run('git', ['clone', '--quiet', '--shared', '--no-checkout', repository, folder], repository);
}

/** Checks a revision out into a clone, installs what its lockfile has, and builds it. */
export function checkOutBuilt(clone: string, name: string): Revision {
  checkOut(clone, name);
  install(clone);
  run('npm', ['run', '--silent', 'build'], clone);
  return describe(name, clone);
}

/** Checks a revision out into a clone. Packages that were installed before remain. */
export function checkOut(clone: string, name: string): void {
  run('git', ['checkout', '--quiet', '--force', name], clone);
  run('git', ['clean', '-dffqx', '--exclude', 'node_modules'], clone);
}

/** Installs what the lockfile of a clone has. */
export function install(clone: string): void {
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], clone);
}

/** Finds the command and the configuration of a checked-out revision, wherever their folders are. */
function describe(name: string, root: string): Revision {
  const manifest = createRequire(join(root, 'package.json')).resolve('countersign/package.json');
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly exports: { readonly '.': { readonly default: string } };
  };
  // The command of a clone runs from source; beside the built module is the built command.
  const cli = join(dirname(manifest), dirname(exports['.'].default), 'cli.js');
  const print = `import config from ${JSON.stringify(join(root, 'countersign.config.ts'))};
console.log(JSON.stringify(config));`;
  const printed = run(process.execPath, ['--input-type=module', '--eval', print], root);
  return { name, root, flags: [], cli, config: JSON.parse(printed) as Revision['config'] };
}

/** Runs a command, and returns what it prints. */
export function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // The packages of the clone and this Node come first.
    env: {
      ...process.env,
      PATH: [join(cwd, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(
        delimiter,
      ),
    },
  });
  if (status !== 0)
    throw new Error(
      `${command} ${words.join(' ')} ended with ${status}\n${stdout}${stderr.slice(-4000)}`,
      { cause: error },
    );
  return stdout;
}
