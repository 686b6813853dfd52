import { type ExitCode, exitCodes, toFailure, writeFailure } from './failure.ts';
import { OutputError } from '../emit/output-error.ts';
import type { Flags } from './command.ts';
import { createProgram } from './program.ts';
import { showDiagnostics } from './show-diagnostics.ts';
import { safeTerminal } from './safe-terminal.ts';
import { type Terminal, writeJson } from './terminal.ts';

/** Runs one command line and returns the exit code of the process. Never throws. */
export async function run(argumentList: readonly string[], process: Terminal): Promise<ExitCode> {
  const terminal = safeTerminal(process, !argumentList.includes('--no-color'));
  const asJson = argumentList.includes('--json');
  let exitCode: ExitCode = exitCodes.ok;
  let flags: Flags | undefined;
  const misuse: string[] = [];
  const program = createProgram(
    async (command, invocation) => {
      ({ flags } = invocation);
      exitCode = await command.run({ ...invocation, terminal });
    },
    { out: (text) => terminal.out(text), error: (text) => misuse.push(text) },
  );
  try {
    await program.parseAsync([...argumentList], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!isCommanderError(error)) {
      const failure = toFailure(error);
      const { code, message, file, problems } = failure;
      const { diagnostics, files = [] } = (error instanceof OutputError && error.contract) || {};
      if (asJson) {
        const about = { code, message, file, problems };
        writeJson(terminal, { ok: false, error: about, diagnostics });
      } else {
        if (flags !== undefined && diagnostics !== undefined)
          await showDiagnostics(diagnostics, files, flags, terminal);
        writeFailure(failure, terminal, argumentList.includes('--verbose'));
      }
      return failure.exitCode;
    }
    if (error.exitCode === 0) return exitCodes.ok;
    const [message = program.helpInformation(), ...hints] = misuse;
    if (asJson) {
      const text = message.replace(/^error: /u, '').trim();
      writeJson(terminal, { ok: false, error: { code: 'usage', message: text } });
    } else terminal.error([message, ...hints].join(''));
    return exitCodes.misuse;
  }
}

/**
 * Returns whether an error is commander's own. Checks its members, because `instanceof` fails for a second copy of the
 * library and would turn misuse into an internal error.
 */
function isCommanderError(error: unknown): error is Error & { readonly exitCode: number } {
  return (
    error instanceof Error &&
    'exitCode' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('commander.')
  );
}
