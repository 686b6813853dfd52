/** Files to format at a time: the formatter keeps memory for each thread it works in, and the main one hands it the next. */
export const formattedAtATime = 2;

/**
 * Formats a generated file by the kind that its name says: TypeScript, JavaScript, JSON and Markdown; others come back
 * as they are. The style is fixed, whatever configuration lies on the disk. Throws a SyntaxError for text that does not parse.
 */
export async function formatFile(path: string, text: string): Promise<string> {
  if (!isFormattable(path)) return text;
  const { format } = await import('oxfmt');
  const { code, errors } = await format(path, text, {
    printWidth: 100,
    singleQuote: true,
    endOfLine: 'lf',
    insertFinalNewline: true,
    sortPackageJson: false,
  });
  const [problem] = errors;
  if (problem !== undefined) {
    const frame = problem.codeframe === null ? '' : `\n${problem.codeframe}`;
    throw new SyntaxError(`"${path}" cannot be formatted: ${problem.message}${frame}`);
  }
  return code;
}

/** Whether the name of a file says that it is of a kind that is formatted. */
export function isFormattable(path: string): boolean {
  return /\.(?:ts|js|mjs|jsonc?|md)$/u.test(path);
}
