import { isExactNumber } from '../base/exact-number.ts';

/** Facts about a JSON text that its parsed value no longer shows. */
export interface Scan {
  /** The number of members of all objects. */
  readonly members: number;
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
  /** The numbers that no double represents exactly, in their order. */
  readonly inexact: readonly InexactNumber[];
}

/** A number that no double represents exactly. */
export interface InexactNumber {
  /** The index of the first byte. */
  readonly start: number;
  readonly literal: string;
}

/**
 * Scans a JSON text in UTF-8 for what `JSON.parse` does not report. Does not check that the text is JSON: `JSON.parse`
 * does.
 */
export function scanStrictly(text: Uint8Array): Scan {
  const { length } = text;
  let members = 0;
  let level = 0;
  let depth = 0;
  let inexact: InexactNumber[] | undefined;
  for (let at = 0; at < length; at++) {
    const code = text[at] ?? 0;
    if (code === quote) {
      for (at++; at < length; at++) {
        const unit = text[at];
        if (unit === quote) break;
        if (unit === backslash) at++;
      }
    } else if (code === colon) {
      members++;
    } else if (code === openBrace || code === openBracket) {
      if (++level > depth) depth = level;
    } else if (code === closeBrace || code === closeBracket) {
      level--;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const start = at;
      let hasExponent = false;
      for (at++; at < length; at++) {
        const unit = text[at] ?? 0;
        if (unit === 0x65 || unit === 0x45) hasExponent = true;
        else if (
          !((unit >= zero && unit <= nine) || unit === dot || unit === plus || unit === minus)
        )
          break;
      }
      // A decimal of up to 15 digits is unchanged when it is read from a double.
      if (hasExponent || at - start > 15) {
        const literal = decoder.decode(text.subarray(start, at));
        if (!isExactNumber(literal)) (inexact ??= []).push({ start, literal });
      }
      at--;
    }
  }
  return { members, depth, inexact: inexact ?? none };
}

/**
 * Parses a JSON text in UTF-8, with a text in place of each inexact number.
 * @param inexact the result of scanning the text
 */
export function parseWithTexts(text: Uint8Array, inexact: readonly InexactNumber[]): unknown {
  let quoted = '';
  let done = 0;
  for (const { start, literal } of inexact) {
    quoted += `${decoder.decode(text.subarray(done, start))}"${literal}"`;
    done = start + literal.length;
  }
  return JSON.parse(quoted + decoder.decode(text.subarray(done)));
}

const decoder: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const none: readonly InexactNumber[] = [];
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
