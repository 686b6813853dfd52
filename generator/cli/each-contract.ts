import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../load/documents.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import type { Invocation } from './command.ts';
import { type ExitCode, type Failure, exitCodes, toFailure } from './failure.ts';
import { type ProgressLine, createProgressLine } from './progress-line.ts';
import { showDiagnostics } from './show-diagnostics.ts';
import { tellFailure, writeJson } from './tell.ts';
import { wantsColor } from './terminal.ts';
import { type Paint, createPaint } from '../tools/paint.ts';

/** What one contract came to: as data for machines, and what of it people are shown. */
export interface Result {
  readonly exitCode: ExitCode;
  readonly data: object;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
  /** What standard output gets behind the diagnostics; nothing where it is empty. */
  readonly describe?: (paint: Paint) => string;
  readonly failure?: Failure;
}

/** Does something for one contract of a configuration. */
export type ForContract = (
  config: LoadedConfig['configs'][number],
  loaded: LoadedConfig,
  progress: ProgressLine,
) => Promise<Result>;

/**
 * Does something for every contract of the configuration, shows what came of each, and answers with the worst exit
 * code. One that fails stops no other.
 * @throws ConfigError for a configuration that cannot be used
 */
export async function runForEachContract(
  invocation: Invocation,
  forContract: ForContract,
): Promise<ExitCode> {
  const { flags, terminal } = invocation;
  const loaded = await loadConfig(terminal.folder, flags.config);
  const progress = createProgressLine(terminal, flags.quiet || flags.json);
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

/** Shows what came of one or several contracts, and answers with the worst exit code. */
export async function showResults(
  results: readonly Result[],
  { command, flags, terminal }: Invocation,
  file?: string,
): Promise<ExitCode> {
  if (flags.json) {
    const ok = results.every(({ exitCode }) => exitCode === exitCodes.ok);
    writeJson(terminal, { command, ok, config: file, results: results.map(({ data }) => data) });
  } else {
    const { environment, outIsTerminal } = terminal;
    const paint = createPaint(wantsColor(environment, outIsTerminal, flags.color));
    for (const { diagnostics, files, failure, describe } of results) {
      await showDiagnostics(diagnostics, files, flags, terminal);
      if (failure !== undefined) tellFailure(failure, terminal, flags.verbose);
      const text = describe?.(paint) ?? '';
      if (text !== '') terminal.out(text);
    }
  }
  return results.map(({ exitCode }) => exitCode).reduce((a, b) => (a > b ? a : b), exitCodes.ok);
}

function toFailed(error: unknown, output: string): Result {
  const failure = toFailure(error);
  const { exitCode, code, message, problems } = failure;
  const data = { output, status: 'failed', error: { code, message, problems } };
  return { exitCode, data, diagnostics: [], files: [], failure };
}
