import { diff } from 'node:util';
import type { Tree } from '../../output/tree.ts';

/** A folder before and after a change; they are equal where nothing changes. */
export interface TreeChange {
  readonly before: Tree;
  readonly after: Tree;
}

/**
 * Reads what `printTreeDiff` writes.
 *
 * A section begins with `=== <path>`. Its lines have a space, `-` or `+` in front, as in a unified diff whose context is
 * the complete file. A section without lines has the text of a shared file: `=== <path> is <shared file>`; a file that
 * only the change adds is `added as` one.
 */
export function parseTreeDiff(text: string, shared: Tree): TreeChange {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const section of text.split(/^=== /mu).slice(1)) {
    const [heading = '', ...lines] = section.replace(/\n$/u, '').split('\n');
    const [path = '', word, name = ''] = heading.split(/ (is|added as) /u);
    if (word !== undefined) {
      const sharedText = shared[name];
      if (sharedText === undefined) throw new Error(`There is no shared file ${name}.`);
      if (word === 'is') before[path] = sharedText;
      after[path] = sharedText;
      continue;
    }
    const linesOf = (sign: string): string =>
      lines
        .filter((line) => line.startsWith(' ') || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    if (!lines.every((line) => line.startsWith('+'))) before[path] = linesOf('-');
    after[path] = linesOf('+');
  }
  return { before, after };
}

/** Writes a folder before and after a change, which removes no file, as one text; every file ends with a line feed. */
export function printTreeDiff({ before, after }: TreeChange, shared: Tree): string {
  return Object.entries(after)
    .map(([path, text]) => {
      const old = before[path];
      const [name] = Object.entries(shared).find(([, sharedText]) => sharedText === text) ?? [];
      if (name !== undefined && (old === undefined || old === text))
        return `=== ${path} ${old === undefined ? 'added as' : 'is'} ${name}\n`;
      const signs = { '1': '-', '0': ' ', '-1': '+' };
      const lines = diff(linesIn(old ?? ''), linesIn(text)).map(
        ([sign, line]) => `${signs[sign]}${line}\n`,
      );
      return `=== ${path}\n${lines.join('')}`;
    })
    .join('');
}

function linesIn(text: string): string[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('A file does not end with a line feed.');
  return text.split('\n').slice(0, -1);
}
