import type { OutputFile } from '../targets/target.ts';
import { OutputError } from './output-error.ts';
import { assertOutputPath } from './output-path.ts';

const leadingComments = /^(?:#![^\n]*\n)?(?:\s*(?:\/\*[^]*?\*\/|\/\/[^\n]*(?:\n|$)))+/u;

/**
 * Checks that a file may be written: its path is safe, and the first comment of a code file contains `@generated`.
 * Returns the file with LF line ends.
 * @throws OutputError `escaping-path`, `invalid-path` or `unmarked-file`
 */
export function guardFile(file: OutputFile): OutputFile {
  assertOutputPath(file.path);
  // Few texts contain a CR, and `includes` is fast.
  const text = file.text.includes('\r') ? file.text.replaceAll(/\r\n?/gu, '\n') : file.text;
  if (isCode(file.path) && !isMarked(text)) {
    throw new OutputError(
      'unmarked-file',
      `${JSON.stringify(file.path)} does not begin with a comment that contains \`@generated\`.`,
    );
  }
  return text === file.text ? file : { ...file, text };
}

/** Returns whether a file is a module of JavaScript or TypeScript. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/u.test(path);
}

function isMarked(text: string): boolean {
  return leadingComments.exec(text)?.[0].includes('@generated') ?? false;
}
