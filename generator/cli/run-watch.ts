import { dirname, extname, resolve } from 'node:path';
import { generate } from '../generate.ts';
import { isInFolder } from '../load/file-paths.ts';
import { optional } from '../json/json.ts';
import { createFolderWatcher, isFolder } from '../tools/watch/folder-watcher.ts';
import { namedFiles } from '../load/contract-files.ts';
import { CommandError } from '../tools/command-error.ts';
import { count } from '../diagnostics/list-texts.ts';
import { type ExitCode, exitCodes, toFailure, writeFailure } from './failure.ts';
import { type Contracts, type GenerateInvocation, loadGenerated } from './named-contract.ts';
import { runGeneration } from './run-generation.ts';

/** Milliseconds without a change after which a burst of changes, such as an editor's save, is complete. */
const settleMs = 25;
/** Milliseconds until the next attempt after another process held the lock of the output folder or changed it. */
const retryMs = 1_000;

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
  let inputs = new Set<string>(namedPaths(loaded));
  let wake: (() => void) | undefined;
  let isChanged = false;
  const end = new AbortController();
  let again: NodeJS.Timeout | undefined;
  const change = (): void => {
    isChanged = true;
    wake?.();
  };
  const watcher = createFolderWatcher((path) => {
    if (!decides(path, inputs, loaded)) return;
    // Node cannot import a changed module again. A run record would also hash code that has not run.
    if (path !== loaded.file && /\.[cm]?[jt]s$/u.test(path)) {
      terminal.error(`${path} has changed after it was loaded. Start the command again.\n`);
      end.abort('stale');
      wake?.();
      return;
    }
    if (isFolder(path)) watcher.add([path]);
    clearTimeout(again);
    again = setTimeout(change, settleMs);
  });
  void terminal.untilInterrupted?.().then(() => {
    end.abort();
    wake?.();
  });
  const watched = (): Iterable<string> => new Set(Array.from(inputs, (file) => dirname(file)));
  const nextChange = async (): Promise<void> => {
    if (!isChanged && !end.signal.aborted) await new Promise<void>((done) => (wake = done));
  };

  try {
    watcher.add(watched());
    for (let isFirst = true; !end.signal.aborted; isFirst = false) {
      isChanged = false;
      const began = performance.now();
      const run = await runOnce(invocation);
      loaded = run.loaded ?? loaded;
      if (run.inputs.length > 0) inputs = new Set([...namedPaths(loaded), ...run.inputs]);
      const time = Math.round(performance.now() - began);
      if (!flags.quiet)
        terminal.error(`watching ${count(inputs.size, 'file')} (${time} ms); end with Ctrl-C\n`);
      if (run.isLocked) again = setTimeout(change, retryMs);
      // A change between the run and the start of watching its folder would be missed.
      if (watcher.add(watched()) && !isFirst) change();
      if (isFirst && run.isUnchanged) await warm(loaded);
      await nextChange();
    }
    return end.signal.reason === 'stale' ? exitCodes.problems : exitCodes.ok;
  } finally {
    clearTimeout(again);
    watcher.close();
  }
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

/** Returns the configuration file and the files of its contracts, absolute. */
function namedPaths(loaded: Contracts): readonly string[] {
  return [...(loaded.file === undefined ? [] : [loaded.file]), ...contractPaths(loaded)];
}

/** Returns the absolute paths of the files of a contract that a configuration names. */
function contractPaths({ configs, folder }: Contracts): readonly string[] {
  return configs.flatMap(({ contract }) =>
    namedFiles(contract).map((path) => resolve(folder, path)),
  );
}

/**
 * Returns whether a change of a path can change the output: an input of the last run, or a file near the documents that
 * a reference can resolve to.
 */
function decides(path: string, inputs: ReadonlySet<string>, loaded: Contracts): boolean {
  if (inputs.has(path)) return true;
  const outputs = loaded.configs.map(({ output }) => resolve(loaded.folder, output));
  if (outputs.some((output) => isInFolder(output, path))) return false;
  if (!contractPaths(loaded).some((file) => isInFolder(dirname(file), path))) return false;
  if (/(?:^|[/\\])(?:\.[^/\\]*|node_modules)(?:[/\\]|$)/u.test(path.slice(loaded.folder.length)))
    return false;
  return /^\.(?:ya?ml|json)$/iu.test(extname(path)) || isFolder(path);
}
