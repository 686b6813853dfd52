import type { OutputFile } from '../targets/target.ts';
import { OutputError } from './output-error.ts';
import { assertOutputPaths } from './output-path.ts';

const codeFile = /\.[cm]?[jt]sx?$/u;
const leadingComments = /^(?:#![^\n]*\n)?(?:\s*(?:\/\*[^]*?\*\/|\/\/[^\n]*(?:\n|$)))+/u;

/**
 * Guarantees that the files may be written together: each path is safe and unique, each code file says in its
 * first comment that it is `@generated`, and every line ends with LF.
 * @throws OutputError `escaping-path`, `invalid-path`, `duplicate-path` or `unmarked-file`
 */
export function guardFiles(files: readonly OutputFile[]): readonly OutputFile[] {
  assertOutputPaths(files.map(({ path }) => path));
  return files.map((file) => {
    // Hardly any text has one, and to look for a character takes no time.
    const text = file.text.includes('\r') ? file.text.replaceAll(/\r\n?/gu, '\n') : file.text;
    if (codeFile.test(file.path) && !isMarked(text)) {
      throw new OutputError(
        'unmarked-file',
        `${JSON.stringify(file.path)} does not say \`@generated\` in the comment it begins with.`,
      );
    }
    return text === file.text ? file : { ...file, text };
  });
}

function isMarked(text: string): boolean {
  return leadingComments.exec(text)?.[0].includes('@generated') ?? false;
}
