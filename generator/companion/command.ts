/**
 * What a companion's command line needs: arguments, options, exit codes, failures, and text for the terminal. The
 * modules under `countersign/companion/` are for companions of the same version, and promise nothing to others. Each
 * has one topic, because an import loads everything that a module exports.
 */
export {
  type CliCommand,
  defineCommand,
  type Invocation,
  milliseconds,
  option,
  pairs,
  type Pairs,
} from '../cli/command.ts';
export { type ExitCode, exitCodes } from '../cli/failure.ts';
export { writeJson } from '../cli/terminal.ts';
export { listTexts } from '../diagnostics/list-texts.ts';
export type { Paint } from '../diagnostics/paint.ts';
export { printable } from '../diagnostics/printable.ts';
export { CommandError } from '../tools/command-error.ts';
