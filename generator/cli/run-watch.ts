import { resolve } from 'node:path';
import { count } from '../diagnostics/list-texts.ts';
import { generate } from '../generate.ts';
import { optional } from '../json/json.ts';
import { namedFiles } from '../load/contract-files.ts';
import { CommandError } from '../tools/command-error.ts';
import { watch } from '../tools/watch/watch.ts';
import { knownFiles, type WatchedFiles } from '../tools/watch/watched-files.ts';
import { type ExitCode, exitCodes, toFailure, writeFailure } from './failure.ts';
import { type Contracts, type GenerateInvocation, loadGenerated } from './named-contract.ts';
import { runGeneration } from './run-generation.ts';

/**
 * Generates, and generates again whenever a file that decides the output changes, until the process is interrupted.
 * Shows a contract's errors and leaves the output unchanged. Exits with 1 if code of a custom target changes.
 * @throws CommandError `usage` with `--json`, which prints a single document
 * @throws ConfigError for a configuration that is unusable at the start
 */
export async function runWatch(invocation: GenerateInvocation): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  if (flags.json)
    throw new CommandError(
      'usage',
      '--watch cannot be combined with --json, which prints one document.',
    );
  let loaded = await loadGenerated(invocation);
  let inputs: readonly string[] = [];
  const stale = await watch(filesOf(loaded, inputs), {
    interrupted: terminal.untilInterrupted?.(),
    async run() {
      const began = performance.now();
      const once = await runOnce(invocation);
      loaded = once.loaded ?? loaded;
      if (once.inputs.length > 0) ({ inputs } = once);
      const files = filesOf(loaded, inputs);
      const time = Math.round(performance.now() - began);
      if (!flags.quiet)
        terminal.error(
          `watching ${count(knownFiles(files).size, 'file')} (${time} ms); end with Ctrl-C\n`,
        );
      return {
        files,
        isLocked: once.isLocked,
        ...(once.isUnchanged ? { prepare: async () => await warm(loaded) } : {}),
      };
    },
  });
  if (stale === undefined) return exitCodes.ok;
  terminal.error(`${stale} has changed after it was loaded. Start the command again.\n`);
  return exitCodes.problems;
}

interface Run {
  loaded: Contracts | undefined;
  /** The input files, absolute. Empty if the run failed before they were known. */
  readonly inputs: string[];
  isUnchanged: boolean;
  isLocked: boolean;
}

async function runOnce(invocation: GenerateInvocation): Promise<Run> {
  const run: Run = { loaded: undefined, inputs: [], isUnchanged: true, isLocked: false };
  try {
    await runGeneration(invocation, 'write', {
      done(generation, loaded) {
        run.loaded = loaded;
        run.inputs.push(...generation.inputs);
        run.isUnchanged &&= generation.status === 'unchanged';
      },
      failed(error) {
        run.isLocked ||= ['locked', 'changed'].includes(toFailure(error).code);
      },
    });
  } catch (error) {
    writeFailure(toFailure(error), invocation.terminal, invocation.flags.verbose);
  }
  return run;
}

/** Runs the whole pipeline once in `check` mode, so that the first change does not wait for libraries to load. */
async function warm({ configs, folder, file }: Contracts): Promise<void> {
  for (const config of configs)
    await generate(config, { folder, ...optional('file', file), mode: 'check' }).catch(
      () => undefined,
    );
}

function filesOf({ configs, folder, file }: Contracts, inputs: readonly string[]): WatchedFiles {
  return {
    configuration: file,
    contracts: configs.flatMap(({ contract }) =>
      namedFiles(contract).map((path) => resolve(folder, path)),
    ),
    inputs,
    outputs: configs.map(({ output }) => resolve(folder, output)),
    folder,
  };
}
