import { createRequire } from 'node:module';
import { createBlockPositions } from './yaml-blocks.ts';
import type { Position } from './position.ts';
import type * as Yaml from 'yaml';

/** Finds the places of a text's members. */
export interface Positions {
  /**
   * Returns where a member's key or an array's item begins; for a member that is not written, its nearest written
   * parent.
   */
  locate(members: readonly string[]): Position;
}

/** A syntax error of a text. */
export interface SyntaxMistake extends Position {
  readonly message: string;
  /** Left out where the usual help of the code is enough. */
  readonly help?: string;
}

/**
 * Finds places in a YAML or JSON text. Parses the text only for a place that cannot be found without a parser, because
 * parsing is slow, and only once.
 */
export function createPositions(text: string): Positions {
  const [blocks, whole] = [createBlockPositions(text), parsePositions(text)];
  return { locate: (members) => blocks.find(members) ?? whole.locate(members) };
}

/** Finds places with the YAML parser. */
export function parsePositions(text: string): Positions {
  let parsed: ParsedYaml | undefined;
  return {
    locate(members) {
      parsed ??= parseOnce(text);
      return parsed === undefined ? { line: 1, column: 1 } : locateIn(parsed, members);
    },
  };
}

/**
 * Returns every syntax error of a text, including repeated keys. Returns none for a valid text, and for one that is
 * nested too deep to parse. A tab in the indentation is one error. The parser's errors from that line on are left out,
 * because most of them disappear with the tab.
 */
export function findSyntaxMistakes(text: string): readonly SyntaxMistake[] {
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

function parseMistakes(text: string): readonly SyntaxMistake[] {
  const parsed = parseForPositions(text, true);
  if (parsed === undefined) return [];
  return parsed.document.errors.map((error) => {
    const at = parsed.lines.linePos(error.pos[0]);
    return {
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
function findIndentationTab(
  text: string,
  mistakes: readonly SyntaxMistake[],
): SyntaxMistake | undefined {
  // Between the outermost braces of JSON, tabs are allowed everywhere.
  if (mistakes.length === 0 || /^\s*[{[]/u.test(text)) return undefined;
  const lines = text.split('\n');
  const withMistake = new Set(mistakes.map(({ line }) => line));
  for (const line of [...withMistake].toSorted((a, b) => a - b)) {
    const column = (indentation.exec(lines[line - 1] ?? '')?.[0] ?? '').indexOf('\t') + 1;
    if (column === 0) continue;
    return {
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

interface ParsedYaml {
  readonly document: Yaml.Document;
  readonly lines: Yaml.LineCounter;
}

/** The `yaml` module, loaded for the first text that has to be parsed. Valid contracts do not need it. */
let loaded: typeof Yaml | undefined;

function loadYaml(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}

/** The results for the most recent texts, for a process that reads the same files again. */
const kept = new Map<string, ParsedYaml>();

/** The maximum number of cached texts, and the maximum length of each in characters. */
const maxKept = 100;
const maxKeptLength = 100_000;

function parseOnce(text: string): ParsedYaml | undefined {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const parsed = parseForPositions(text);
  if (parsed === undefined || text.length > maxKeptLength) return parsed;
  const [oldest] = kept.keys();
  if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
  kept.set(text, parsed);
  return parsed;
}

function parseForPositions(text: string, uniqueKeys = false): ParsedYaml | undefined {
  const { LineCounter, parseDocument } = loadYaml();
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      uniqueKeys,
      merge: true,
      prettyErrors: false,
      // At `silent`, the parser does not report a second document in the text.
      logLevel: 'error',
    });
    return { document, lines };
  } catch {
    // The text is nested deeper than the stack allows; it was already rejected for its depth.
    return undefined;
  }
}

function locateIn({ document, lines }: ParsedYaml, members: readonly string[]): Position {
  const { isAlias, isMap, isSeq } = loadYaml();
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const member of members) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyText(key) === member);
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(member)];
      if (item === undefined) break;
      offset = startOf(item) ?? offset;
      node = item;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function keyText(key: unknown): string | undefined {
  return loadYaml().isScalar(key) ? String(key.value) : undefined;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) && typeof node.range[0] === 'number' ? node.range[0] : undefined;
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
