import { isJsonObject, type Json } from '../../json/json.ts';
import type { Location } from '../../diagnostics/diagnostic.ts';
import type { Documents } from '../../load/documents.ts';
import { type Pointer, toPointer } from '../../json/pointer.ts';

/** A file and a line of it, as compilers and editors write them. */
export interface FileLine {
  readonly file: string;
  /** Counted from 1; left out for the file as a whole. */
  readonly line?: number;
  readonly column?: number;
}

/** Reads `file:line:column`, `file:line` or `file`. */
export function readFileLine(text: string): FileLine {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/su.exec(text) ?? [];
  if (file === undefined) return { file: text };
  return {
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
  };
}

/**
 * What of the bundled documents is written at a line of a file: the innermost value that begins there, or ahead of it
 * where the line begins none. Several, where documents share the file.
 */
export function pointersAt(
  documents: Documents,
  { file, line = 1, column }: FileLine,
): readonly Pointer[] {
  return (['openapi', 'asyncapi'] as const).flatMap((name) => {
    const root = documents[name]?.root;
    if (root === undefined) return [];
    let best: { readonly pointer: Pointer; readonly at: Location } | undefined;
    for (const pointer of pointersOf(root, `${name}#`)) {
      const at = documents.locate(pointer);
      if (at.file !== file || at.line > line) continue;
      if (at.line === line && at.column > (column ?? Infinity)) continue;
      // Of what begins on one line, the first holds the rest, unless a column says which.
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

/** Whether a bundled document has something at a pointer. */
export function hasPointer(documents: Documents, pointer: Pointer): boolean {
  const name = pointer.startsWith('openapi#') ? 'openapi' : 'asyncapi';
  const root = documents[name]?.root;
  if (root === undefined) return false;
  for (const known of pointersOf(root, `${name}#`)) if (known === pointer) return true;
  return false;
}

function* pointersOf(value: Json, pointer: Pointer): Generator<Pointer> {
  yield pointer;
  const members = Array.isArray(value)
    ? value.map((item: Json, index) => [String(index), item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [member, child] of members)
    if (child !== undefined) yield* pointersOf(child, toPointer(pointer, member));
}
