import { dirname, resolve } from 'node:path';
import { checkConfig } from '../config/check-config.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { readContract } from '../generate.ts';
import { targetsFor } from '../targets/targets-for.ts';
import { CommandError } from '../tools/command-error.ts';
import { chooseName } from '../tools/unknown-name-error.ts';
import type { Invocation } from './command.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';

/** The contracts that a command works on: those of a configuration, or the one whose files the command line names. */
export interface Contracts {
  /** The configuration file, absolute; absent where the command line names the files. */
  readonly file?: string;
  /** The folder that every path of the configurations is relative to, absolute. */
  readonly folder: string;
  readonly configs: readonly Config[];
}

/** The files of `generate`, and what to do with them. */
export type GenerateInvocation = Invocation<
  {
    readonly output?: string;
    readonly target?: readonly string[];
    readonly contractFolder?: string;
  },
  readonly [files: readonly string[]]
>;

/** The folder for generated files, unless another one is stated. */
const defaultOutput = 'generated';

/**
 * Returns the contracts that `generate` works on: that of the files of the command line, or those of the configuration.
 * The code of named files is written into a folder, which needs no scope and no packages.
 * @param progress the progress of the command, which reads the contracts again
 * @throws CommandError `usage` for options that need files, an unknown target, and files that are not a contract
 * @throws ConfigError for a configuration or an output folder that cannot be used
 */
export async function loadGenerated(
  invocation: GenerateInvocation,
  progress: ProgressLine = createProgressLine(invocation.terminal, invocation.flags),
): Promise<Contracts> {
  const { values, options, flags, terminal } = invocation;
  const [files] = values;
  const { output, target: asked = [], contractFolder } = options;
  if (files.length === 0) {
    const [misplaced] = [
      output && '--output',
      asked.length > 0 && '--target',
      contractFolder && '--contract-folder',
    ].filter(Boolean);
    if (misplaced === undefined) return await loadConfig(terminal.folder, flags.config);
    throw new CommandError(
      'usage',
      `${misplaced} needs the files of a contract. If you have a configuration, set it there.`,
    );
  }
  assertWithoutConfig(invocation);
  // A run with a configuration and nothing to do loads neither documents nor targets.
  const { isInFolder, toFile } = await import('../load/file-paths.ts');
  const { documentsOf } = await import('../tools/documents-of.ts');
  const { targetNames } = await import('../targets/registry.ts');
  for (const name of asked) chooseName('target', name, targetNames);
  const outputFolder = resolve(terminal.folder, output ?? defaultOutput);
  const folder = isInFolder(terminal.folder, outputFolder)
    ? terminal.folder
    : dirname(outputFolder);
  const documents = await documentsOf(files, terminal.folder, folder);
  const contained = contractFolder && toFile(folder, resolve(terminal.folder, contractFolder));
  const base: Config = {
    contract: contained === undefined ? documents : { ...documents, folder: contained || '.' },
    output: toFile(folder, outputFolder) || '.',
    layout: 'folder',
    targets: asked,
  };
  const targets = asked.length > 0 ? asked : await proposeTargets(base, folder, progress);
  const [config = base] = await checkConfig([{ ...base, targets }], '');
  return { folder, configs: [config] };
}

/**
 * Returns the contract of the files of the command line, from which nothing is generated; `undefined` without files.
 * @throws CommandError `usage` for files that are not a contract
 */
export async function loadNamed(
  files: readonly string[],
  invocation: Invocation,
): Promise<Contracts | undefined> {
  if (files.length === 0) return undefined;
  const { commonFolder } = await import('../load/file-paths.ts');
  const { documentsOf } = await import('../tools/documents-of.ts');
  const { folder: from } = invocation.terminal;
  const folder = commonFolder(files.map((file) => resolve(from, file)));
  const contract = await documentsOf(files, from, folder);
  return { folder, configs: [{ contract, targets: [], output: '' }] };
}

/** @throws CommandError `usage` if the command line names files and a configuration */
export function assertWithoutConfig({ flags }: Invocation): void {
  if (flags.config !== undefined)
    throw new CommandError('usage', 'Give the files of a contract or --config, not both.');
}

/** Returns the targets for what a contract has. A contract with errors gets some that report them. */
async function proposeTargets(
  config: Config,
  folder: string,
  progress: ProgressLine,
): Promise<readonly string[]> {
  const { contract } = await readContract(config, folder, {
    report: (step) => progress.show(step),
  }).finally(() => progress.clear());
  return contract === undefined ? ['contract'] : targetsFor(contract);
}
