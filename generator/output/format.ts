interface Formatted {
  readonly given: string;
  readonly code: string;
}

/** Files to format at a time: the formatter keeps memory for each thread it works in, and the main one hands it the next. */
export const formattedAtATime = 2;

/** What each path was formatted to last, so that a process that generates again formats what has changed alone. */
const last = new Map<string, Formatted>();

/**
 * Formats a generated file by the kind that its name says: TypeScript, JavaScript, JSON and Markdown; others come back
 * as they are. The style is fixed, whatever configuration lies on the disk. Throws a SyntaxError for text that does not parse.
 */
export async function formatFile(path: string, text: string): Promise<string> {
  if (!/\.(?:ts|js|mjs|jsonc?|md)$/u.test(path)) return text;
  const known = last.get(path);
  if (known?.given === text) return known.code;
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
  last.set(path, { given: text, code });
  return code;
}
