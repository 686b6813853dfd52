/**
 * What a companion's command line needs: arguments, options, exit codes, failures, and text for the terminal. The
 * modules under `countersign/companion/` are for companions of the same version, and promise nothing to others. Each
 * has one topic, because an import loads everything that a module exports.
 */
export {
  argument,
  type CliCommand,
  defineCommand,
  integer,
  type Invocation,
  milliseconds,
  option,
  pairs,
  type Pairs,
  port,
  repeatable,
  type ScopeOption,
  scopeOption,
} from '../cli/command.ts';
export { type ExitCode, exitCodes, type Failure, toFailure } from '../cli/failure.ts';
export { type Terminal, toVisibleJson, wantsColor, writeJson } from '../cli/terminal.ts';
export { displayWidth } from '../diagnostics/display-width.ts';
export { count, listTexts } from '../diagnostics/list-texts.ts';
export { createPaint, type Paint } from '../diagnostics/paint.ts';
export { printable } from '../diagnostics/printable.ts';
export { quote } from '../diagnostics/quote.ts';
export { CommandError, toCommandError } from '../tools/command-error.ts';
