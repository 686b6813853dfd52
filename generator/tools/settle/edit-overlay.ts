import {
  isCollection,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  visit,
  type Node,
  type Pair,
  type YAMLSeq,
} from 'yaml';
import type { Location } from '../../diagnostics/diagnostic.ts';
import type { JsonObject } from '../../json/json.ts';

/** An answer of an overlay that is replaced by another one. */
export interface ReplacedAnswer {
  /** Where the key `settled` is written. */
  readonly at: Pick<Location, 'line' | 'column'>;
  readonly answer: string;
}

/** Returns the text of a new overlay. */
export function createOverlay(extended: string, actions: readonly JsonObject[]): string {
  const info = { title: 'Answers to open questions', version: '1.0.0' };
  return stringify({ overlay: '1.0.0', info, extends: extended, actions });
}

/**
 * Changes answers of an overlay, and appends actions. Every other character of the text stays as it is: comments, quotes,
 * blank lines, line ends. Returns `undefined` if a place is not found.
 */
export function editOverlay(
  text: string,
  replaced: readonly ReplacedAnswer[],
  added: readonly JsonObject[],
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: true });
  if (document.errors.length > 0) return undefined;
  const edits: (Edit | undefined)[] = replaced.map((replacement) => {
    const offset = offsetOf(text, replacement.at);
    const value = findPair(document.contents, offset)?.value;
    return isNode(value) ? replaceScalar(text, value, replacement.answer) : undefined;
  });
  const actions = document.get('actions', true);
  if (added.length > 0) edits.push(isSeq(actions) ? append(text, actions, added) : undefined);
  const locatedEdits = edits.filter((edit) => edit !== undefined);
  return locatedEdits.length === edits.length ? apply(text, locatedEdits) : undefined;
}

/** A part of a text that is replaced. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Applies edits that do not overlap. Inserted lines end as those of the text. */
function apply(text: string, edits: readonly Edit[]): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  let result = text;
  for (const edit of edits.toSorted((a, b) => b.from - a.from)) {
    const inserted = edit.text.replaceAll('\n', lineBreak);
    result = result.slice(0, edit.from) + inserted + result.slice(edit.to);
  }
  return result;
}

/** Returns the offset of a place. Its line and column are those of the text without a byte order mark. */
function offsetOf(text: string, { line, column }: ReplacedAnswer['at']): number {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  const lineBreaks = text.matchAll(/\r\n?|\n/gu);
  for (let left = line; left > 1; left -= 1) {
    const lineBreak = lineBreaks.next().value;
    if (lineBreak === undefined) break;
    start = lineBreak.index + lineBreak[0].length;
  }
  return start + column - 1;
}

/** Returns the member whose key is written at an offset. */
function findPair(contents: Node | null, offset: number): Pair | undefined {
  let pairAtOffset: Pair | undefined;
  visit(contents, {
    Pair(_, pair) {
      const range = isNode(pair.key) ? pair.key.range : undefined;
      if (range && range[0] <= offset && offset < range[1]) pairAtOffset = pair;
    },
  });
  return pairAtOffset;
}

/** Returns the edit that replaces a value by an answer, which is quoted as the value was. */
function replaceScalar(text: string, value: Node, answer: string): Edit | undefined {
  if (value.range === undefined || value.range === null) return undefined;
  const [from, to] = value.range;
  // The range of a block scalar ends after its last line.
  const ending = /\r?\n$/u.test(text.slice(from, to)) ? '\n' : '';
  const style = isScalar(value) ? value.type : undefined;
  return { from, to, text: writeScalar(answer, style) + ending };
}

function writeScalar(answer: string, style: string | undefined): string {
  const isPlain =
    /^[A-Za-z](?:[\w-]| (?=\w))*$/u.test(answer) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/iu.test(answer);
  if (style === 'QUOTE_SINGLE' && /^[^'\p{C}\p{Zl}\p{Zp}]*$/u.test(answer)) return `'${answer}'`;
  return isPlain && style !== 'QUOTE_DOUBLE' ? answer : JSON.stringify(answer);
}

function append(text: string, list: YAMLSeq, actions: readonly JsonObject[]): Edit | undefined {
  return list.flow === true ? appendFlow(text, list, actions) : appendBlock(text, list, actions);
}

/** Appends items to a list in brackets, such as those of JSON. */
function appendFlow(text: string, list: YAMLSeq, actions: readonly JsonObject[]): Edit | undefined {
  const last = list.items.at(-1);
  if (!isNode(last) || last.range === undefined || last.range === null) return undefined;
  const [start, end] = last.range;
  const indentation = text.slice(startOfLine(text, start), start);
  const isOwnLine = indentation.trim() === '';
  const unit = indentation.includes('\t') ? '\t' : 2;
  const items = actions.map((action) =>
    isOwnLine
      ? `,\n${indentation}${JSON.stringify(action, null, unit).replaceAll('\n', `\n${indentation}`)}`
      : `, ${JSON.stringify(action)}`,
  );
  return { from: end, to: end, text: items.join('') };
}

/** Appends items to a list with hyphens, after the comments that belong to its last item. */
function appendBlock(
  text: string,
  list: YAMLSeq,
  actions: readonly JsonObject[],
): Edit | undefined {
  const { srcToken } = list;
  const end = endOf(list.items.at(-1));
  if (srcToken?.type !== 'block-seq' || end === undefined) return undefined;
  const { indent } = srcToken;
  let at = text.slice(0, end).endsWith('\n') ? end : endOfLine(text, end);
  const comment = new RegExp(`^ {${indent + 1},}#`, 'u');
  while (comment.test(text.slice(at, endOfLine(text, at)))) at = endOfLine(text, at);
  const lines = stringify(actions).replaceAll(/^(?=.)/gmu, ' '.repeat(indent));
  const isUnfinished = !text.slice(0, at).endsWith('\n');
  return { from: at, to: at, text: isUnfinished ? `\n${lines}` : lines };
}

/** Returns the offset after the last character of a node's content, without the comments behind it. */
function endOf(node: unknown): number | undefined {
  if (isPair(node)) return endOf(node.value) ?? endOf(node.key);
  if (!isNode(node)) return undefined;
  if (isCollection(node) && node.flow !== true && node.items.length > 0)
    return endOf(node.items.at(-1));
  return node.range?.[1];
}

function startOfLine(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset after the line break that ends a line, or the end of the text. */
function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}
