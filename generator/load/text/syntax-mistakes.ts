import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { ParseError, Position } from './positions.ts';

/**
 * Returns every syntax error of a text, including repeated keys. Returns none for a valid text, and for one that is
 * nested too deep to parse. A tab in the indentation is one error. The parser's errors from that line on are left out,
 * because most of them disappear with the tab.
 */
export function findSyntaxMistakes(text: string): readonly ParseError[] {
  const mistakes = parseMistakes(text);
  const tab = findIndentationTab(text, mistakes);
  if (tab === undefined) return mistakes;
  // An error above the tab can come from it as well, such as a quote that seems unclosed.
  const withoutTabs = new Set(parseMistakes(replaceIndentationTabs(text)).map(placeOf));
  const independent = mistakes.filter(
    (mistake) => mistake.line < tab.line && withoutTabs.has(placeOf(mistake)),
  );
  return [...independent, tab];
}

function parseMistakes(text: string): readonly ParseError[] {
  const lines = new LineCounter();
  return parseErrors(text, lines).map((error) => {
    const at = lines.linePos(error.pos[0]);
    return {
      code: 'yaml-syntax',
      line: Math.max(at.line, 1),
      column: Math.max(at.col, 1),
      message:
        error.code === 'DUPLICATE_KEY'
          ? `The key \`${keyAt(text, error.pos[0])}\` is written twice in one mapping.`
          : sentence(error.message),
    };
  });
}

/** Matches the indentation of a line, the dashes of nested list items included. */
const indentation = /^[ \t]*(?:-[ \t]+)*/u;

/** Returns the first tab in the indentation of a line that has a syntax error. */
function findIndentationTab(text: string, mistakes: readonly ParseError[]): ParseError | undefined {
  // Between the outermost braces of JSON, tabs are allowed everywhere.
  if (mistakes.length === 0 || /^\s*[{[]/u.test(text)) return undefined;
  const lines = text.split('\n');
  const withMistake = new Set(mistakes.map(({ line }) => line));
  for (const line of [...withMistake].toSorted((a, b) => a - b)) {
    const column = (indentation.exec(lines[line - 1] ?? '')?.[0] ?? '').indexOf('\t') + 1;
    if (column === 0) continue;
    return {
      code: 'yaml-syntax',
      line,
      column,
      message: 'The line is indented with a tab, which YAML does not allow.',
      help: 'Indent with spaces. Check the lines below as well: an editor that inserts one tab often inserts more.',
    };
  }
  return undefined;
}

function replaceIndentationTabs(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(indentation, (start) => start.replaceAll('\t', '  ')))
    .join('\n');
}

function placeOf({ line, column }: Position): string {
  return `${line}:${column}`;
}

/** A mistake, at an offset of the text. */
interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [start: number, end: number];
}

function parseErrors(text: string, lineCounter: LineCounter): readonly Mistake[] {
  try {
    // At `silent`, the parser does not report a second document in the text. It would compare each key with all others.
    const options = {
      lineCounter,
      merge: true,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    } as const;
    const document = parseDocument(text, options);
    const repeated = [...findRepeatedKeys(document)];
    return [...document.errors, ...repeated].toSorted((a, b) => a.pos[0] - b.pos[0]);
  } catch {
    // The text is nested deeper than the stack allows; it was already rejected for its depth.
    return [];
  }
}

/** Finds the keys that a mapping has twice. A mapping can merge several others. */
function findRepeatedKeys(document: Document): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue;
        const [start = 0, end = 0] = key.range ?? [];
        if (names.has(key.value))
          mistakes.push({ code: 'DUPLICATE_KEY', message: '', pos: [start, end] });
        names.add(key.value);
      }
    },
  });
  return mistakes;
}

function keyAt(text: string, offset: number): string {
  const [, quoted, single, plain] =
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^:\n]*))/u.exec(text.slice(offset, offset + 200)) ??
    [];
  return quoted ?? single ?? plain?.trim() ?? '';
}

function sentence(message: string): string {
  const text = message.trim();
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
