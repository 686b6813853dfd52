import type { ts } from 'ts-morph';

/** Replaces what modules a file imports from and exports from, and not a byte besides. */
export function replaceSpecifiers(
  typescript: typeof ts,
  text: string,
  replace: (specifier: string) => string,
): string {
  const { importedFiles } = typescript.preProcessFile(text, true, true);
  let result = '';
  let end = 0;
  for (const { fileName, pos } of importedFiles.toSorted((a, b) => a.pos - b.pos)) {
    // The position is that of the quote before the specifier; one that is written with escapes is none of ours.
    const start = pos + 1;
    if (text.slice(start, start + fileName.length) !== fileName) continue;
    result += text.slice(end, start) + replace(fileName);
    end = start + fileName.length;
  }
  return result + text.slice(end);
}
