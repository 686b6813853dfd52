import { exactnessOf } from './exact-number.ts';

/** Why a text is refused before it is parsed. */
export type ScanFault =
  | 'duplicate-key'
  /** A member `__proto__`, or `prototype` inside a `constructor`. */
  | 'prototype-key'
  | 'too-deep'
  /** A number larger than every double. */
  | 'infinite-number'
  | 'not-json';

/** What a scan found: a fault, or where the literals are that no double holds exactly. */
export type Scan =
  | { readonly fault: ScanFault }
  | { readonly fault?: undefined; readonly inexact: readonly Span[] };

/** From the first byte to the one behind the last. */
export type Span = readonly [start: number, end: number];

/**
 * Looks through a JSON text in UTF-8 once, before it is parsed, for what `JSON.parse` passes over in silence. Whatever else
 * is wrong with the text is left to the parser.
 * @param maxDepth how many objects and arrays may stand in one another
 */
export function scanStrictly(text: Uint8Array, maxDepth: number): Scan {
  const { length } = text;
  const keys = new KeyStack(text);
  /** Of every open container, whether it is an object. */
  const isObject: boolean[] = [];
  let depth = 0;
  let expectsKey = false;
  let inexact: Span[] | undefined;
  let at = 0;
  while (at < length) {
    const code = text[at] ?? 0;
    if (code === quote) {
      const start = at + 1;
      let end = start;
      let hash = 0;
      let isEscaped = false;
      if (expectsKey) {
        for (let unit = text[end] ?? 0; unit !== quote; unit = text[end] ?? 0) {
          if (unit === backslash) {
            isEscaped = true;
            end++;
          }
          if (++end >= length) return { fault: 'not-json' };
          hash = (Math.imul(hash, 31) + unit) | 0;
        }
        const fault = isEscaped ? keys.addEscaped(start, end) : keys.add(start, end, hash);
        if (fault !== undefined) return { fault };
        expectsKey = false;
      } else {
        for (let unit = text[end]; unit !== quote; unit = text[end]) {
          if (unit === backslash) end++;
          if (++end >= length) return { fault: 'not-json' };
        }
      }
      at = end + 1;
    } else if (code === comma) {
      expectsKey = isObject[depth - 1] === true;
      at++;
    } else if (code === openBrace || code === openBracket) {
      if (depth === maxDepth) return { fault: 'too-deep' };
      expectsKey = code === openBrace;
      isObject[depth++] = expectsKey;
      if (expectsKey) keys.open();
      at++;
    } else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return { fault: 'not-json' };
      if (isObject[--depth] === true) keys.close();
      expectsKey = false;
      at++;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const start = at;
      let hasExponent = false;
      for (at++; at < length; at++) {
        const unit = text[at] ?? 0;
        if (unit === 0x65 || unit === 0x45) hasExponent = true;
        else if (
          !((unit >= zero && unit <= nine) || unit === 0x2e || unit === plus || unit === minus)
        )
          break;
      }
      // A decimal of up to fifteen digits comes back from a double as it was.
      if (hasExponent || at - start > 15) {
        const exactness = exactnessOf(decoder.decode(text.subarray(start, at)));
        if (exactness === 'infinite') return { fault: 'infinite-number' };
        if (exactness === 'inexact') (inexact ??= []).push([start, at]);
      }
    } else {
      at++;
    }
  }
  return inexact === undefined ? nothing : { inexact };
}

const decoder: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const nothing: Scan = { inexact: [] };
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const plus = 0x2b;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;

/** Objects with more keys than this are looked up in a set: comparing each with each would take quadratic time. */
const fewKeys = 16;

/** The keys of every open object. */
class KeyStack {
  readonly #text: Uint8Array;
  /** Hash, start and end of each key, one object after the other. */
  readonly #keys: number[] = [];
  /** Where the keys of each open object begin. */
  readonly #firsts: number[] = [];
  readonly #sets: (Set<string> | undefined)[] = [];
  /** Whether the value of the last key of each open object is that of a `constructor`. */
  readonly #constructors: boolean[] = [];
  #count = 0;
  #open = 0;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  open(): void {
    this.#firsts[this.#open] = this.#count;
    this.#sets[this.#open] = undefined;
    this.#constructors[this.#open] = false;
    this.#open++;
  }

  close(): void {
    this.#open--;
    this.#count = this.#firsts[this.#open] ?? 0;
  }

  add(start: number, end: number, hash: number): ScanFault | undefined {
    const length = end - start;
    if (length === 9 || length === 11) {
      const fault = this.#check(this.#slice(start, end));
      if (fault !== undefined) return fault;
    } else {
      this.#constructors[this.#open - 1] = false;
    }
    const set = this.#sets[this.#open - 1];
    if (set !== undefined) return addTo(set, this.#slice(start, end));
    const keys = this.#keys;
    for (let index = this.#firsts[this.#open - 1] ?? 0; index < this.#count; index += 3) {
      if (keys[index] !== hash) continue;
      const from = keys[index + 1] ?? 0;
      const to = keys[index + 2] ?? 0;
      if (to - from === length && this.#isSame(from, start, length)) return 'duplicate-key';
    }
    keys[this.#count] = hash;
    keys[this.#count + 1] = start;
    keys[this.#count + 2] = end;
    this.#count += 3;
    if (this.#count - (this.#firsts[this.#open - 1] ?? 0) > 3 * fewKeys) this.#toSet();
    return undefined;
  }

  /** A key written with escapes is compared as what it stands for, and so are all others of its object. */
  addEscaped(start: number, end: number): ScanFault | undefined {
    let key: unknown;
    try {
      key = JSON.parse(this.#slice(start - 1, end + 1));
    } catch {
      return 'not-json';
    }
    const fault = this.#check(String(key));
    return fault ?? addTo(this.#sets[this.#open - 1] ?? this.#toSet(), String(key));
  }

  #check(key: string): ScanFault | undefined {
    const inner = this.#open - 1;
    if (key === '__proto__') return 'prototype-key';
    if (key === 'prototype' && this.#constructors[inner - 1] === true) return 'prototype-key';
    this.#constructors[inner] = key === 'constructor';
    return undefined;
  }

  #slice(start: number, end: number): string {
    return decoder.decode(this.#text.subarray(start, end));
  }

  #isSame(one: number, other: number, length: number): boolean {
    for (let index = 0; index < length; index++)
      if (this.#text[one + index] !== this.#text[other + index]) return false;
    return true;
  }

  #toSet(): Set<string> {
    const set = new Set<string>();
    const first = this.#firsts[this.#open - 1] ?? 0;
    for (let index = first; index < this.#count; index += 3)
      set.add(this.#slice(this.#keys[index + 1] ?? 0, this.#keys[index + 2] ?? 0));
    this.#sets[this.#open - 1] = set;
    return set;
  }
}

function addTo(set: Set<string>, key: string): ScanFault | undefined {
  if (set.has(key)) return 'duplicate-key';
  set.add(key);
  return undefined;
}
