/**
 * Creates a function that returns whether a text matches a pattern. `*` matches any text, and all other characters
 * match themselves. In a path, `*` matches no `/`, `**` does, and a trailing `/**` also matches an empty text.
 */
export function createMatcher(pattern: string, isPath: boolean): (text: string) => boolean {
  const any = isPath ? '[^/]*' : '.*';
  const [, body = '', below] = isPath ? (/^(.*?)(\/\*\*)?$/su.exec(pattern) ?? []) : ['', pattern];
  const parts = body.split(/(\*+)/u).map((part) => {
    if (!part.startsWith('*')) return part.replaceAll(/[\\^$.+?()[\]{}|/]/gu, String.raw`\$&`);
    return part.length > 1 ? '.*' : any;
  });
  const expression = new RegExp(
    `^${parts.join('')}${below === undefined ? '' : '(?:/.*)?'}$`,
    'su',
  );
  return (text) => expression.test(text);
}
