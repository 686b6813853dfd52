import { describeFailure, type Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Writes a failure to standard error, with its stack if `verbose` or the environment variable `DEBUG` is set. */
export function writeFailure(failure: Failure, terminal: Terminal, verbose: boolean): void {
  terminal.error(describeFailure(failure));
  const debug = (terminal.environment['DEBUG'] ?? '') !== '';
  if (failure.stack !== undefined && (verbose || debug)) terminal.error(`${failure.stack}\n`);
}

/** Writes one JSON document to standard output. */
export function writeJson(terminal: Terminal, value: object): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}
