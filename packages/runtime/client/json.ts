import { isExactNumber } from '../base/exact-number.ts';
import type { NumberMode } from '../base/number-mode.ts';

/**
 * Parses JSON.
 * @param numbers what to do with a number that no double represents exactly: `refuse` it, return it as `text`, or
 * `round` it to the nearest double, for validation
 * @throws SyntaxError for text that is not JSON
 * @throws RangeError for a number too large for a double, or a refused number
 */
export function parseJson(text: string, numbers: NumberMode | 'round'): unknown {
  const value: unknown = JSON.parse(text);
  const quoted = quoteInexact(text);
  if (quoted === text || numbers === 'round') return value;
  if (numbers === 'refuse')
    throw new RangeError('contains a number that no double represents exactly (see `numbers`)');
  return JSON.parse(quoted);
}

/**
 * Matches texts that can contain an inexact number. A decimal of up to 15 digits without an exponent is always exact.
 */
const mayBeInexact = /\d[\d.]{14}|\d[Ee]/;

const number = /-?\d[\d.Ee+-]*/y;

/**
 * Returns a JSON text with quotes around each number that no double represents exactly.
 * @throws RangeError for a number too large for a double
 */
function quoteInexact(text: string): string {
  if (!mayBeInexact.test(text)) return text;
  let quoted = '';
  let done = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      number.lastIndex = at;
      const [literal = character] = number.exec(text) ?? [];
      if (mayBeInexact.test(literal) && !isExactNumber(literal)) {
        if (!Number.isFinite(Number(literal)))
          throw new RangeError('contains a number that is too large for a double');
        quoted += `${text.slice(done, at)}"${literal}"`;
        done = at + literal.length;
      }
      at += literal.length - 1;
    }
  }
  return done === 0 ? text : quoted + text.slice(done);
}

/**
 * Writes a value as JSON. Writes a bigint, and a number created by `JSON.rawJSON`, with all digits.
 * @throws TypeError for a value that JSON cannot represent. `JSON.stringify` writes NaN, infinite numbers and invalid
 * dates as `null`
 */
export function toJson(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
  } catch {
    // A bigint, or an error that the second attempt explains.
  }
  // Checking every member takes several times as long, and few values need it.
  if (text === undefined || text.includes('null')) text = JSON.stringify(value, writeMember);
  if (text === undefined) throw new TypeError('is not a JSON value');
  return text;
}

function writeMember(this: unknown, key: string, member: unknown): unknown {
  if (typeof member === 'bigint') return toRawJson(String(member));
  if (typeof member === 'number' && !Number.isFinite(member))
    throw new TypeError('contains NaN or an infinite number, which JSON cannot represent');
  if (member === null && (this as Readonly<Record<string, unknown>>)[key] instanceof Date)
    throw new TypeError('contains an invalid date');
  return member;
}

/**
 * The JSON methods of https://tc39.es/proposal-json-parse-with-source. Node 22 and other platforms of 2024 have them.
 */
interface RawJson {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => value is { readonly rawJSON: string };
}

function toRawJson(text: string): unknown {
  const { rawJSON } = JSON as RawJson;
  if (rawJSON !== undefined) return rawJSON(text);
  throw new TypeError('contains a bigint, which a platform without JSON.rawJSON cannot write');
}

/** Returns the text of a number created by `JSON.rawJSON`, or `undefined` for any other value. */
export function rawNumber(value: unknown): string | undefined {
  if ((JSON as RawJson).isRawJSON?.(value) !== true) return undefined;
  return /^-?\d/.test(value.rawJSON) ? value.rawJSON : undefined;
}
