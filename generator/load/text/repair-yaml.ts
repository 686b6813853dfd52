import { parseEvents, YAMLException } from 'js-yaml';
import type { ParseError, Position } from './positions.ts';

/** A YAML text with spaces where the specification requires them and other parsers do without. */
export interface RepairedYaml {
  readonly text: string;
  /** What was repaired, where it is in the original text. */
  readonly warnings: readonly ParseError[];
  /** Returns a place of the repaired text in the original one. */
  readonly toOriginal: (position: Position) => Position;
}

/** More than any real text is indented. */
const indentation = ' '.repeat(256);

/** The number of characters that are parsed to repair one text: about two seconds. */
const maxParsed = 100_000_000;

/**
 * Indents the lines of quoted texts and flow collections that are indented less than what contains them, and separates
 * comments from the value before them. None of this can change a value: the indentation of these lines has no meaning.
 * js-yaml 4 and the tools that use it read such texts with no more than a warning.
 *
 * Returns `undefined` for a text with nothing to repair, and for one with too much.
 */
export function repairYaml(text: string, maxDepth: number): RepairedYaml | undefined {
  const lines = text.split('\n');
  const indented = new Map<number, Position>();
  const comments: Position[] = [];
  for (let parsed = 0, repaired = text; parsed <= maxParsed; repaired = lines.join('\n')) {
    const mistake = firstMistake(repaired, maxDepth);
    const index = mistake === undefined ? -1 : mistake.line - 1;
    const line = lines[index] ?? '';
    // A line with `---` or `...` alone begins or ends a document.
    const isMarker = /^(?:---|\.\.\.)(?:\s|$)/u.test(line);
    if (mistake?.reason === 'deficient indentation' && !isMarker && !indented.has(mistake.line)) {
      const column = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
      indented.set(mistake.line, { line: mistake.line, column: column + 1 });
      lines[index] = `${indentation}${line}`;
    } else if (mistake !== undefined && isUnseparatedComment(line, mistake.column - 1)) {
      const { column } = mistake;
      comments.push(toOriginal(indented, mistake));
      lines[index] = `${line.slice(0, column - 1)} ${line.slice(column - 1)}`;
    } else {
      const warnings = [...explainIndentation(indented), ...comments.map(explainComment)];
      if (warnings.length === 0) return undefined;
      return { text: repaired, warnings, toOriginal: (at) => toOriginal(indented, at) };
    }
    parsed += repaired.length;
  }
  return undefined;
}

function firstMistake(
  text: string,
  maxDepth: number,
): (Position & { readonly reason: string }) | undefined {
  try {
    parseEvents(text, { maxDepth });
    return undefined;
  } catch (error) {
    if (!(error instanceof YAMLException) || error.mark === undefined) return undefined;
    const { line, column } = error.mark;
    return { reason: error.reason, line: line + 1, column: column + 1 };
  }
}

/** Returns whether a `#` follows a quoted text or a flow collection without a space. */
function isUnseparatedComment(line: string, at: number): boolean {
  return line[at] === '#' && /["'\]}]/u.test(line[at - 1] ?? '');
}

function toOriginal(indented: ReadonlyMap<number, unknown>, { line, column }: Position): Position {
  const added = indented.has(line) ? indentation.length : 0;
  return { line, column: Math.max(column - added, 1) };
}

/** Explains indented lines, adjacent ones together. */
function explainIndentation(indented: ReadonlyMap<number, Position>): readonly ParseError[] {
  const first = [...indented.values()].filter(({ line }) => !indented.has(line - 1));
  return first.map((at) => ({
    code: 'yaml-syntax',
    ...at,
    message:
      'The line continues a quoted text, a list or a mapping, and is indented less than YAML requires.',
    help: 'Indent the line, and those below that continue the same value.',
    until: 'it is read as a part of the value, as many YAML parsers do',
  }));
}

function explainComment(at: Position): ParseError {
  return {
    code: 'yaml-syntax',
    ...at,
    message: 'A comment follows a value without a space.',
    help: 'Write a space before `#`.',
    until: 'it is read as a comment',
  };
}
