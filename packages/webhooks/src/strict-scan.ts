import { exactnessOf } from './exact-number.ts';

/** Why a text is refused before it is parsed. */
export type ScanFault =
  | 'too-deep'
  /** A number larger than every double. */
  | 'infinite-number';

/** What a scan found: a fault, or what cannot be told from the parsed value any more. */
export type Scan =
  | { readonly fault: ScanFault }
  | {
      readonly fault?: undefined;
      /** How many members the objects of the text have, all together. */
      readonly members: number;
      /** Where the literals are that no double holds exactly. */
      readonly inexact: readonly Span[];
    };

/** From the first byte to the one behind the last. */
export type Span = readonly [start: number, end: number];

/**
 * Looks through a JSON text in UTF-8 once, before it is parsed, for what `JSON.parse` passes over in silence.
 * Whether it is JSON at all is left to the parser.
 * @param maxDepth how many objects and arrays may stand in one another
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
      // A decimal of up to fifteen digits comes back from a double as it was.
      if (hasExponent || at - start > 15) {
        const exactness = exactnessOf(decoder.decode(text.subarray(start, at)));
        if (exactness === 'infinite') return { fault: 'infinite-number' };
        if (exactness === 'inexact') (inexact ??= []).push([start, at]);
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
