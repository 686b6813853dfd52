/** For companions of the same version: what runs a command: text for the terminal, failures and exit codes. */
export { type ExitCode, exitCodes, type Failure, toFailure } from '../cli/failure.ts';
export {
  type AskedChoice,
  type Terminal,
  toVisibleJson,
  wantsColor,
  writeJson,
} from '../cli/terminal.ts';
export { displayWidth } from '../diagnostics/display-width.ts';
export { count, listTexts } from '../diagnostics/list-texts.ts';
export { createPaint, type Paint } from '../diagnostics/paint.ts';
export { printable } from '../diagnostics/printable.ts';
export { quote } from '../diagnostics/quote.ts';
export { CommandError, toCommandError } from '../tools/command-error.ts';
