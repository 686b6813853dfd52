import { Node, ts, type ArrayLiteralExpression, type ObjectLiteralExpression } from 'ts-morph';
import type { Insertion } from './insertion.ts';
import { indentationAt, lineBreakNear, lineStart } from './layout.ts';

/** The positions of an object literal's members, or of an array literal's elements, in a text. */
interface List {
  readonly text: string;
  /** The offset after the opening bracket. */
  readonly open: number;
  /** The offset of the closing bracket. */
  readonly close: number;
  readonly elements: readonly { readonly start: number; readonly end: number }[];
  /** The offset after the trailing comma; omitted if there is none. */
  readonly comma?: number;
  /** The offset after the last element, its comma and the trailing comments on the same line. */
  readonly tail: number;
}

/** Returns the insertions that append elements to a list, in the style of its present elements. */
export function insertElements(
  literal: ObjectLiteralExpression | ArrayLiteralExpression,
  elements: readonly string[],
): readonly Insertion[] {
  if (elements.length === 0) return [];
  const list = readList(literal);
  const { text, close } = list;
  const closing = lineStart(text, close);
  return closing >= list.open && text.slice(closing, close).trim() === ''
    ? insertLines(list, closing, elements)
    : insertInline(list, elements);
}

function readList(list: ObjectLiteralExpression | ArrayLiteralExpression): List {
  const text = list.getSourceFile().getFullText();
  const nodes = Node.isObjectLiteralExpression(list)
    ? list.compilerNode.properties
    : list.compilerNode.elements;
  const elements = nodes.map((node) => ({ start: node.getStart(), end: node.getEnd() }));
  const comma = nodes.hasTrailingComma ? nodes.end : undefined;
  const end = comma ?? elements.at(-1)?.end ?? list.getStart() + 1;
  return {
    text,
    open: list.getStart() + 1,
    close: list.getEnd() - 1,
    elements,
    ...(comma === undefined ? {} : { comma }),
    tail: ts.getTrailingCommentRanges(text, end)?.at(-1)?.end ?? end,
  };
}

/** Inserts each element on its own line before the line of the closing bracket, after any comments there. */
function insertLines(
  { text, elements: present, comma, close }: List,
  at: number,
  elements: readonly string[],
): readonly Insertion[] {
  const lineBreak = lineBreakNear(text, at);
  const ownLine = present.findLast(({ start }) => startsLine(text, start));
  const indentation =
    ownLine === undefined
      ? indentationAt(text, close) + unitOf(text)
      : indentationAt(text, ownLine.start);
  const endsWithComma = present.length === 0 || comma !== undefined;
  const lines = elements.map((element, index) => {
    const separator = endsWithComma || index < elements.length - 1 ? ',' : '';
    return `${indentation}${element}${separator}${lineBreak}`;
  });
  return [...missingComma(present, comma), { at, text: lines.join('') }];
}

/** Inserts the elements on the line of the closing bracket. */
function insertInline(list: List, elements: readonly string[]): readonly Insertion[] {
  const { text, open, close, elements: present, comma, tail } = list;
  const last = present.at(-1);
  if (last === undefined) {
    const ahead = text.slice(open, close) === '' && text[open - 1] === '{' ? ' ' : '';
    const behind = text[open - 1] === '{' ? ' ' : '';
    return [{ at: close, text: ahead + elements.join(', ') + behind }];
  }
  // The last element can be followed by a line comment. Insert after it, before the closing bracket.
  if (/[\n\r]/u.test(text.slice(last.end, close))) {
    const ending = comma === undefined ? ' ' : ', ';
    return [...missingComma(present, comma), { at: close, text: elements.join(', ') + ending }];
  }
  const isStacked = present.length > 1 && startsLine(text, last.start);
  const separator = isStacked
    ? `,${lineBreakNear(text, last.start)}${indentationAt(text, last.start)}`
    : ', ';
  const added = elements.join(separator);
  return comma === undefined
    ? [{ at: tail, text: separator + added }]
    : [{ at: tail, text: `${separator.slice(1)}${added},` }];
}

function missingComma(present: List['elements'], comma: number | undefined): readonly Insertion[] {
  const last = present.at(-1);
  return last === undefined || comma !== undefined ? [] : [{ at: last.end, text: ',' }];
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}

/**
 * Returns one level of the text's indentation: a tab if any line begins with one, else the smallest indentation.
 * Defaults to two spaces.
 */
function unitOf(text: string): string {
  if (/^\t/mu.test(text)) return '\t';
  const widths = Array.from(text.matchAll(/^ +(?=[^\s*])/gmu), ([spaces]) => spaces.length);
  return ' '.repeat(widths.length === 0 ? 2 : Math.min(...widths));
}
