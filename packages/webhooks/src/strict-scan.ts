import { exactnessOf } from './exact-number.ts';

/** Why a text is refused before it is parsed. */
export type ScanFault = 'too-deep';

/** The result of a scan: a fault, or facts that the parsed value no longer shows. */
export type Scan =
  | { readonly fault: ScanFault }
  | {
      readonly fault?: undefined;
      /** The number of members of all objects in the text. */
      readonly members: number;
      /** The locations of number literals that no double represents exactly. */
      readonly inexact: readonly Span[];
    };

/** The index of the first byte, and of the byte after the last. */
export type Span = readonly [start: number, end: number];

/**
 * Scans a JSON text in UTF-8, before it is parsed, for problems that `JSON.parse` does not report. Does not check that
 * the text is JSON.
 * @param maxDepth maximum nesting depth of objects and arrays
 */
export function scanStrictly(text: Uint8Array, maxDepth: number): Scan {
  const { length } = text;
  let members = 0;
  let depth = 0;
  let inexact: Span[] | undefined;
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
      if (depth++ === maxDepth) return { fault: 'too-deep' };
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
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
        if (exactnessOf(decoder.decode(text.subarray(start, at))) !== 'exact')
          (inexact ??= []).push([start, at]);
      }
      at--;
    }
  }
  return { members, inexact: inexact ?? none };
}

const decoder: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });
const none: readonly Span[] = [];
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
