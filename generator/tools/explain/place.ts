import type { Location } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../documents/documents.ts';
import { rootsOf } from '../../documents/places.ts';
import type { Pointer } from '../../json/pointer.ts';

/** A file with an optional line and column, as compilers and editors write them. */
export interface FileLine {
  readonly file: string;
  /** The line, counted from 1; omitted for the whole file. */
  readonly line?: number;
  readonly column?: number;
}

/** Parses `file:line:column`, `file:line` or `file`. */
export function readFileLine(text: string): FileLine {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/su.exec(text) ?? [];
  if (file === undefined) return { file: text };
  return {
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

/** Returns the pointers of the values that a file and a JSON Pointer in it cite, as `Documents.cite` writes them. */
export function pointersOf(documents: Documents, citation: string): readonly Pointer[] {
  return rootsOf(documents)
    .flatMap((root) => [...root.withDescendants()])
    .map(({ pointer }) => pointer)
    .filter((pointer) => documents.cite(pointer) === citation);
}

/**
 * Returns the pointers of the values that are written at a line of a file: per document, the value that begins on the
 * line, or else the last value that begins before it. If several values begin on the line, the first one, which
 * contains the others, is returned. With a column, it is the last one that begins at or before the column.
 */
export function pointersAt(
  documents: Documents,
  { file, line = 1, column }: FileLine,
): readonly Pointer[] {
  return rootsOf(documents).flatMap((root) => {
    let best: { readonly pointer: Pointer; readonly at: Location } | undefined;
    for (const { pointer } of root.withDescendants()) {
      const at = documents.locate(pointer);
      if (at.file !== file || at.line > line) continue;
      if (at.line === line && at.column > (column ?? Infinity)) continue;
      // The first value of a line contains the others of that line; a column selects a more specific one.
      const isCloser =
        best === undefined ||
        at.line > best.at.line ||
        (at.line === best.at.line &&
          (column === undefined ? at.column < best.at.column : at.column > best.at.column));
      if (isCloser) best = { pointer, at };
    }
    return best === undefined ? [] : [best.pointer];
  });
}
