import { MissingCompanionError } from '../companions.ts';
import { ConfigError, type ConfigProblem } from '../diagnostics/config-error.ts';
import { printableLines } from '../diagnostics/printable.ts';
import { OutputError } from '../emit/output-error.ts';
import { CommandError } from '../tools/command-error.ts';
import type { Terminal } from './terminal.ts';

/** The exit codes of the process. 70 is `EX_SOFTWARE` of `sysexits.h`: a defect of the toolkit. */
export const exitCodes: {
  readonly ok: 0;
  readonly problems: 1;
  readonly misuse: 2;
  readonly internal: 70;
} = { ok: 0, problems: 1, misuse: 2, internal: 70 };

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error in the form in which the command line reports it. */
export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  /** The configuration file at fault. */
  readonly file?: string;
  readonly problems?: readonly ConfigProblem[];
  /** The stack, with the stacks of its causes. Shown only with `--verbose` or `DEBUG`. */
  readonly stack: string | undefined;
  /** Whether diagnostics show the error, so that its message is not repeated. */
  readonly isShown?: boolean;
}

/** Converts an error to a failure: misuse, a reported problem (such as a full disk), or an internal error. */
export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? toStack(error) : undefined;
  if (error instanceof ConfigError) {
    const { code, file, problems } = error;
    return { exitCode: exitCodes.misuse, code: `config-${code}`, message, file, problems, stack };
  }
  if (error instanceof OutputError || error instanceof CommandError) {
    const { code } = error;
    const exitCode = code === 'usage' ? exitCodes.misuse : exitCodes.problems;
    const isShown =
      error instanceof OutputError &&
      (error.contract?.diagnostics ?? []).some(({ code: shown }) => shown === 'target-failed');
    return { exitCode, code, message, stack, isShown };
  }
  if (error instanceof MissingCompanionError)
    return { exitCode: exitCodes.problems, code: error.code, message, stack };
  return { exitCode: exitCodes.internal, code: 'internal', message, stack };
}

/** Describes a failure as text for the terminal, without its stack. */
function describeFailure(failure: Failure): string {
  const { code, message, file, problems } = failure;
  if (code === 'internal') {
    const line = message.split('\n')[0] ?? '';
    return `countersign: internal error: ${line} (--verbose shows where)\n`;
  }
  if (problems === undefined || code === 'config-not-found' || code === 'config-ambiguous')
    return `countersign: ${message}\n`;
  const lines = problems.map(({ member, message: text, line, column, frame }) => {
    if (line !== undefined) return `  ${file}:${line}:${column}: ${text}\n${frame}`;
    return member === '' ? `  ${text}` : `  ${member}: ${text}`;
  });
  return `countersign: ${file === '' ? 'the configuration' : file} cannot be used:\n${lines.join('\n')}\n`;
}

/** Writes a failure to standard error, with its stack if `verbose` or the environment variable `DEBUG` is set. */
export function writeFailure(failure: Failure, terminal: Terminal, verbose: boolean): void {
  if (failure.isShown !== true) terminal.error(printableLines(describeFailure(failure)));
  const debug = (terminal.environment['DEBUG'] ?? '') !== '';
  if (failure.stack !== undefined && (verbose || debug))
    terminal.error(`${printableLines(failure.stack)}\n`);
}

function toStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${toStack(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
