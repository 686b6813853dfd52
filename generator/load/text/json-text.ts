import { type Child, createLineIndex, type Positions } from './positions.ts';

/** The content of a JSON text. */
export interface JsonText {
  readonly value: unknown;
  /** The number of members that are written in its objects: more than the value has where a key is repeated. */
  readonly members: number;
}

/** Reads an object or array as JSON, many times faster than as YAML; `undefined` where the text is not valid JSON. */
export function readJson(text: string): JsonText | undefined {
  if (!/^\s*[{[]/u.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown, members: countMembers(text) };
  } catch {
    return undefined;
  }
}

/** Finds places in a JSON text. Reads only as much of it as the requested places need, and long values only once. */
export function createJsonPositions(text: string): Positions {
  const children = new Map<number, ReadonlyMap<string, Child>>();
  const ends = new Map<number, number>();
  const toPosition = createLineIndex(text);
  return {
    locate(members) {
      let at = skipSpace(text, 0);
      let place = at;
      for (const member of members) {
        let valueChildren = children.get(at);
        if (valueChildren === undefined)
          children.set(at, (valueChildren = readChildren(text, at, ends)));
        const child = valueChildren.get(member);
        if (child === undefined) break;
        ({ place, value: at } = child);
      }
      return toPosition(place);
    },
  };
}

/** @param ends the offsets after long objects and arrays by where they begin; those that are found are added */
function readChildren(
  text: string,
  start: number,
  ends: Map<number, number>,
): ReadonlyMap<string, Child> {
  const children = new Map<string, Child>();
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return children;
  let at = skipSpace(text, start + 1);
  while (text[at] !== '}' && text[at] !== ']') {
    const place = at;
    let name = String(children.size);
    if (isObject) {
      const end = endOfString(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    children.set(name, { place, value: at });
    at = skipSpace(text, endOfValue(text, at, ends));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return children;
}

/** Returns the offset after the value that begins at `start`. A regular expression searches faster than a loop. */
function endOfValue(text: string, start: number, ends: Map<number, number>): number {
  const end = ends.get(start);
  if (end !== undefined) return end;
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (first !== openBrace && first !== openBracket) {
    endOfScalar.lastIndex = start;
    return endOfScalar.test(text) ? endOfScalar.lastIndex - 1 : text.length;
  }
  const open: number[] = [];
  bracketOrQuote.lastIndex = start;
  while (bracketOrQuote.test(text)) {
    const at = bracketOrQuote.lastIndex - 1;
    const code = text.charCodeAt(at);
    if (code === quote) bracketOrQuote.lastIndex = endOfString(text, at);
    else if (code === openBrace || code === openBracket) open.push(at);
    else {
      const from = open.pop() ?? start;
      if (at - from > minKeptLength) ends.set(from, at + 1);
      if (open.length === 0) return at + 1;
    }
  }
  return text.length;
}

/** The length from which on an object or array is remembered, so that its parent can be read without it. */
const minKeptLength = 500;

const bracketOrQuote = /["{}[\]]/gu;
const endOfScalar = /[\s,}\]]/gu;

/** Returns the offset after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Returns the number of members in a text: every member has one colon outside of strings. */
function countMembers(text: string): number {
  let count = 0;
  colonOrQuote.lastIndex = 0;
  while (colonOrQuote.test(text)) {
    const at = colonOrQuote.lastIndex - 1;
    if (text.charCodeAt(at) === quote) colonOrQuote.lastIndex = endOfString(text, at);
    else count += 1;
  }
  return count;
}

const colonOrQuote = /[":]/gu;

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const quote = 0x22;
const openBracket = 0x5b;
const backslash = 0x5c;
const openBrace = 0x7b;
