import type * as oxfmt from 'oxfmt';

/**
 * Formats a generated file by the extension of its name: TypeScript, JavaScript, JSON and Markdown. Returns other files
 * unchanged. The style is fixed: no configuration file affects it.
 * @throws SyntaxError for text that does not parse
 */
export async function formatFile(path: string, text: string): Promise<string> {
  // Keeps a table that is wider than a line without padding: one new row would change all of them.
  return await format(path, text, 'never');
}

/**
 * Formats a file as `formatFile` does, whose reader owns it and formats it again: in the style that formatters have if
 * nobody configures them.
 * @throws SyntaxError for text that does not parse
 */
export async function formatOwnedFile(path: string, text: string): Promise<string> {
  return await format(path, text, 'preserve');
}

async function format(
  path: string,
  text: string,
  proseWrap: 'never' | 'preserve',
): Promise<string> {
  if (!isFormattable(path)) return text;
  library ??= import('oxfmt');
  const { code, errors } = await (
    await library
  ).format(path, text, {
    printWidth: 100,
    singleQuote: true,
    endOfLine: 'lf',
    insertFinalNewline: true,
    sortPackageJson: false,
    proseWrap,
  });
  const [problem] = errors;
  if (problem !== undefined) {
    const frame = problem.codeframe === null ? '' : `\n${problem.codeframe}`;
    throw new SyntaxError(`"${path}" cannot be formatted: ${problem.message}${frame}`);
  }
  return code;
}

/** The formatter, loaded at its first use. Importing it for each of thousands of files would take time. */
let library: Promise<typeof oxfmt> | undefined;

/** Returns whether `formatFile` formats files of this name. */
export function isFormattable(path: string): boolean {
  return /\.(?:ts|js|mjs|jsonc?|md)$/u.test(path);
}
