import { dirname } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { OutputError } from '../emit/output-error.ts';
import type { SourceFile } from '../documents/documents.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Invocation } from './command.ts';
import type { Contracts } from './named-contract.ts';
import { type ExitCode, type Failure, exitCodes, toFailure, writeFailure } from './failure.ts';
import { type ProgressLine, createProgressLine } from './progress-line.ts';
import { showDiagnostics } from './show-diagnostics.ts';
import { wantsColor, writeJson } from './terminal.ts';
import { type Paint, createPaint } from '../diagnostics/paint.ts';

/** The outcome of a command for one contract: its exit code, data for `--json`, and what is shown on the terminal. */
export interface Result {
  readonly exitCode: ExitCode;
  readonly data: object;
  readonly diagnostics?: readonly Diagnostic[];
  /** The files that the diagnostics are about. */
  readonly files?: readonly SourceFile[];
  /** Returns the text for standard output, which follows the diagnostics. Empty text prints nothing. */
  readonly describe?: (paint: Paint) => string;
  readonly failure?: Failure;
}

/** Runs a command for one contract of a configuration. */
export type ForContract = (
  config: Contracts['configs'][number],
  loaded: Contracts,
  progress: ProgressLine,
) => Promise<Result>;

/**
 * Runs a command for every contract of the configuration, shows each outcome, and returns the highest exit code. A
 * contract that fails does not stop the others.
 * @param contracts the contracts, where the command line names them instead of a configuration
 * @param progress the progress of the command, if it has read the contracts before
 * @throws ConfigError for a configuration that cannot be used
 */
export async function runForEachContract(
  invocation: Invocation,
  forContract: ForContract,
  contracts?: Contracts,
  progress: ProgressLine = createProgressLine(invocation.terminal, invocation.flags),
): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const loaded = contracts ?? (await loadConfig(terminal.folder, flags.config));
  const results: Result[] = [];
  try {
    for (const config of loaded.configs) {
      results.push(
        await forContract(config, loaded, progress).catch((error: unknown) =>
          toFailed(error, config.output),
        ),
      );
    }
  } finally {
    progress.clear();
  }
  return await showResults(results, invocation, loaded.file);
}

/** Shows the outcomes for one or several contracts, and returns the highest exit code. */
export async function showResults(
  results: readonly Result[],
  { command, flags, terminal }: Invocation,
  file?: string,
): Promise<ExitCode> {
  if (flags.json) {
    const ok = results.every(({ exitCode }) => exitCode === exitCodes.ok);
    writeJson(terminal, { command, ok, config: file, results: results.map(({ data }) => data) });
  } else {
    const paint = createPaint(wantsColor(terminal, flags));
    for (const { diagnostics = [], files = [], failure, describe } of results) {
      const folder = file === undefined ? undefined : dirname(file);
      await showDiagnostics(diagnostics, files, flags, terminal, folder);
      if (failure !== undefined) writeFailure(failure, terminal, flags.verbose);
      const text = describe?.(paint) ?? '';
      if (text !== '') terminal.out(text);
    }
  }
  return results.map(({ exitCode }) => exitCode).reduce((a, b) => (a > b ? a : b), exitCodes.ok);
}

function toFailed(error: unknown, output: string): Result {
  const failure = toFailure(error);
  const { exitCode, code, message, problems } = failure;
  const contract = error instanceof OutputError ? error.contract : undefined;
  const { diagnostics } = contract ?? {};
  const data = { output, status: 'failed', error: { code, message, problems }, diagnostics };
  return { exitCode, data, failure, ...contract };
}
