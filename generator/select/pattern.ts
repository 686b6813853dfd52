/**
 * Whether texts are what a pattern names. `*` stands for any text and everything else for itself; in a path, `*` ends
 * at a `/`, `**` does not, and `/**` at the end stands for nothing as well.
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
