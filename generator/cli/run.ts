import type { Command } from 'commander';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Generation } from '../generate.ts';
import type { SourceFile } from '../load/documents.ts';
import type { LoadedConfig } from '../load-config.ts';
import { count, describeChecked, describeGenerated } from './describe-generation.ts';
import type { LedgerEntry } from './describe-ledger.ts';
import { describeFailure, type ExitCode, exitCodes, type Failure, toFailure } from './failure.ts';
import { type CommandName, createProgram, type Flags } from './program.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { createPaint, type Terminal, wantsColor } from './terminal.ts';

/** Runs one command line and answers with what the process has to end with. Never throws. */
export async function run(argumentList: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const asJson = argumentList.includes('--json');
  let exitCode: ExitCode = exitCodes.ok;
  const misuse: string[] = [];
  const program = createProgram(
    async (command, flags) => {
      exitCode = await runCommand(command, flags, terminal);
    },
    { out: (text) => terminal.out(text), error: (text) => misuse.push(text) },
  );
  try {
    await program.parseAsync([...argumentList], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!isCommanderError(error)) {
      const failure = toFailure(error);
      tell(failure, terminal, asJson, argumentList.includes('--verbose'));
      return failure.exitCode;
    }
    if (error.exitCode === 0) return exitCodes.ok;
    const [message = helpOf(program), ...hints] = misuse;
    if (asJson) {
      const text = message.replace(/^error: /u, '').trim();
      printJson(terminal, { ok: false, error: { code: 'usage', message: text } });
    } else terminal.error([message, ...hints].join(''));
    return exitCodes.misuse;
  }
}

async function runCommand(
  command: CommandName,
  flags: Flags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { loadConfig } = await import('../load-config.ts');
  const loaded = await loadConfig(terminal.folder, flags.config);
  const progress = createProgressLine(terminal, flags.quiet || flags.json);
  const results: Result[] = [];
  try {
    for (const config of loaded.configs) {
      results.push(await runOne(command, config, loaded, progress));
    }
  } finally {
    progress.clear();
  }
  if (flags.json) {
    const ok = results.every(({ exitCode }) => exitCode === exitCodes.ok);
    const { file } = loaded;
    printJson(terminal, { command, ok, config: file, results: results.map(({ data }) => data) });
  } else {
    for (const result of results) await show(command, result, flags, terminal);
  }
  return results.map(({ exitCode }) => exitCode).reduce((a, b) => (a > b ? a : b), exitCodes.ok);
}

/** What one contract came to: as data for machines, and what of it people are shown. */
interface Result {
  readonly exitCode: ExitCode;
  readonly data: object;
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
  readonly generation?: Generation;
  readonly ledger?: readonly LedgerEntry[];
  readonly failure?: Failure;
}

async function runOne(
  command: CommandName,
  config: LoadedConfig['configs'][number],
  { folder, file }: LoadedConfig,
  progress: ProgressLine,
): Promise<Result> {
  const { output } = config;
  try {
    const { generate, readContract } = await import('../generate.ts');
    if (command === 'unstated') {
      const read = await readContract(config, folder, (step) => progress.show(step));
      const { documents, contract, diagnostics } = read;
      const { toLedgerEntry } = await import('./describe-ledger.ts');
      const ledger = contract?.unstated.map((entry) =>
        toLedgerEntry(entry, documents.locate(entry.pointer)),
      );
      return {
        exitCode: ledger === undefined ? exitCodes.problems : exitCodes.ok,
        data: { output, unstated: ledger ?? [], diagnostics },
        diagnostics,
        files: documents.files,
        ...(ledger === undefined ? {} : { ledger }),
      };
    }
    const mode = command === 'check' ? 'check' : 'write';
    const onProgress: ProgressLine['show'] = (step) => progress.show(step);
    const generation = await generate(config, { folder, file, mode, onProgress });
    const { files, ...data } = generation;
    const failed = generation.status === 'invalid' || generation.status === 'differs';
    return {
      exitCode: failed ? exitCodes.problems : exitCodes.ok,
      data,
      diagnostics: generation.diagnostics,
      files,
      generation,
    };
  } catch (error) {
    const failure = toFailure(error);
    const { exitCode, code, message, problems } = failure;
    const data = { output, status: 'failed', error: { code, message, problems } };
    return { exitCode, data, diagnostics: [], files: [], failure };
  }
}

async function show(
  command: CommandName,
  result: Result,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const { generation, ledger, failure } = result;
  await showDiagnostics(result, flags, terminal);
  if (failure !== undefined) tell(failure, terminal, false, flags.verbose);
  const { environment, outIsTerminal } = terminal;
  const paint = createPaint(wantsColor(environment, outIsTerminal, flags.color));
  if (ledger !== undefined) {
    const { describeLedger } = await import('./describe-ledger.ts');
    terminal.out(describeLedger(ledger, paint));
  }
  if (generation === undefined || generation.status === 'invalid') return;
  if (generation.status === 'differs') terminal.out(describeChecked(generation, paint));
  else if (flags.quiet) return;
  else if (command === 'check') terminal.out(describeChecked(generation, paint));
  else terminal.out(describeGenerated(generation, paint, flags.verbose));
}

async function showDiagnostics(
  { diagnostics, files }: Result,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const shown = diagnostics.filter(
    ({ severity }) =>
      severity === 'error' || (!flags.quiet && (severity === 'warning' || flags.verbose)),
  );
  if (shown.length > 0) {
    const { renderDiagnostics } = await import('../diagnostics/code-frame.ts');
    const color = wantsColor(terminal.environment, terminal.errorIsTerminal, flags.color);
    terminal.error(`${renderDiagnostics(shown, files, { color })}\n`);
  }
  const number = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const counts = [
    number('error') > 0 ? count(number('error'), 'error') : '',
    number('warning') > 0 ? count(number('warning'), 'warning') : '',
    number('info') > 0
      ? `${count(number('info'), 'note')}${flags.verbose ? '' : ' (--verbose shows them)'}`
      : '',
  ].filter(Boolean);
  if (counts.length > 0 && (!flags.quiet || number('error') > 0)) {
    terminal.error(`contract: ${counts.join(', ')}\n`);
  }
}

function tell(failure: Failure, terminal: Terminal, asJson: boolean, verbose: boolean): void {
  const { code, message, file, problems, stack } = failure;
  if (asJson) {
    printJson(terminal, { ok: false, error: { code, message, file, problems } });
    return;
  }
  terminal.error(describeFailure(failure));
  const debug = (terminal.environment['DEBUG'] ?? '') !== '';
  if (stack !== undefined && (verbose || debug)) terminal.error(`${stack}\n`);
}

function printJson(terminal: Terminal, value: object): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}

function helpOf(program: Command): string {
  return program.helpInformation();
}

/** Commander's own errors, told by their shape: a second copy of the library must not make a stack trace of misuse. */
function isCommanderError(error: unknown): error is Error & { readonly exitCode: number } {
  return (
    error instanceof Error &&
    'exitCode' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('commander.')
  );
}
