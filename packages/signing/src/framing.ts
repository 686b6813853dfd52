import type { Part } from './part.ts';
import type { TimestampFormat } from './scheme.ts';
import { SigningError } from './signing-error.ts';
import { isDateTime, timestampDigits } from './timestamp.ts';
import { hasOnlyDigits, holdsTimestampBefore } from './timestamp-pattern.ts';

/**
 * Returns whether the signed bytes determine the values of a request, one for each part. No two different lists of
 * values that pass the check give the same bytes when concatenated. There are two exceptions: a header directly before a
 * timestamp in digits, and the host after a body that is not JSON. The verifier must know the value of that header, and
 * its own host.
 */
export type Framing = (values: readonly (string | Uint8Array)[]) => boolean;

type Rule = (values: readonly (string | Uint8Array)[], index: number) => boolean;
type Next = Part | undefined;

/**
 * Compiles the check that a request shares its signature with no other request. Returns `undefined` where no check is
 * needed, because at most one part has an unknown length.
 * @throws SigningError `ambiguous-framing` where no check can determine the end of a part
 */
export function compileFraming(
  parts: readonly Part[],
  format: TimestampFormat | undefined,
): Framing | undefined {
  const variable = parts.flatMap((part, index) => (hasKnownLength(part) ? [] : [index]));
  // The parts after the last one of unknown length have known lengths, counted from the end.
  const undelimited = variable.slice(0, -1);
  const last = variable.at(-1);
  const rules = undelimited.flatMap((index) =>
    rulesFor(parts, index, format, last).map((rule) => ({ rule, index })),
  );
  if (rules.length === 0) return undefined;
  return (values) => {
    for (const { rule, index } of rules) if (!rule(values, index)) return false;
    return true;
  };
}

function hasKnownLength({ kind }: Part): boolean {
  return kind === 'text' || kind === 'timestamp';
}

/** Returns the rules that make the end of a part of unknown length detectable. */
function rulesFor(
  parts: readonly Part[],
  index: number,
  format: TimestampFormat | undefined,
  last: number | undefined,
): readonly Rule[] {
  const part = parts[index];
  const next = parts[index + 1];
  if (part?.kind === 'body') return [endsBodyBefore(next)];
  switch (next?.kind) {
    case 'text':
      return [endsAtText(next.text)];
    case 'path':
    case 'path-below-base':
    case 'path-and-query':
    case 'url':
      if (part?.kind === 'method' || part?.kind === 'header') return [holdsNone('/')];
      break;
    case 'body':
      if (last === index + 1) return [endsAtBrackets];
      break;
    case 'timestamp':
      if (format !== undefined)
        return [endsAtTimestamp(part, format), ...startsWithoutDigit(parts[index + 2], format)];
      break;
    default:
  }
  throw new SigningError(
    'ambiguous-framing',
    `The signature scheme is ambiguous: nothing separates the signed ${part?.kind} from the ${next?.kind} after it.`,
  );
}

const slash = 0x2f;

/**
 * Returns the rule for a body that precedes text or a URL with a known first character. The body must be empty; or one
 * JSON object or array, without a closing bracket in any later part; or text without that character.
 */
function endsBodyBefore(next: Next): Rule {
  if (next?.kind === 'host-and-path') {
    const isWholeJson = endsBodyBefore({ kind: 'path' });
    return (values, index) =>
      !isOpening((values[index] as Uint8Array)[0] ?? 0) || isWholeJson(values, index);
  }
  const first = next?.kind === 'text' ? new TextEncoder().encode(next.text)[0] : slash;
  const delimiter =
    next?.kind === 'text' || next?.kind.startsWith('path') === true || next?.kind === 'url'
      ? first
      : undefined;
  if (delimiter === undefined)
    throw new SigningError(
      'ambiguous-framing',
      `The signature scheme is ambiguous: nothing separates the signed body from the ${next?.kind} after it.`,
    );
  const mayBeJson = !isBracket(delimiter);
  return (values, index) => {
    const body = values[index] as Uint8Array;
    const start = body[0];
    if (start === undefined) return true;
    if (!mayBeJson || !isOpening(start)) return !body.includes(delimiter);
    let end = body.length - 1;
    while (isSpace(body[end])) end--;
    // In ASCII, the code of a closing bracket is that of its opening bracket plus 2.
    if (body[end] !== start + 2) return false;
    for (let after = index + 1; after < values.length; after++)
      if (holdsClosingBracket(values[after] ?? '')) return false;
    return true;
  };
}

function holdsClosingBracket(value: string | Uint8Array): boolean {
  return typeof value === 'string'
    ? value.includes('}') || value.includes(']')
    : value.includes(0x7d) || value.includes(0x5d);
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isBracket(byte: number): boolean {
  return isOpening(byte) || isOpening(byte - 2);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function endsAtText(text: string): Rule {
  if (text.length === 1) return holdsNone(text);
  return (values, index) => {
    const value = values[index] as string;
    return (value + text).indexOf(text) === value.length;
  };
}

function holdsNone(character: string): Rule {
  return (values, index) => !(values[index] as string).includes(character);
}

/** Requires that the text before a body has no `[` or `{`, and that the body is empty or starts with one. */
const endsAtBrackets: Rule = (values, index) => {
  const value = values[index] as string;
  const start = (values[index + 1] as Uint8Array)[0];
  return !value.includes('{') && !value.includes('[') && (start === undefined || isOpening(start));
};

/** Returns the rule that text before a timestamp must not contain a complete timestamp itself. */
function endsAtTimestamp(part: Part | undefined, format: TimestampFormat): Rule {
  if (typeof format === 'object') {
    // As below: a key in a header can end with digits that a timestamp could begin with.
    if (part?.kind === 'header' && hasOnlyDigits(format)) return () => true;
    return (values, index) => {
      const value = values[index] as string;
      return !holdsTimestampBefore(`${value}${String(values[index + 1])}`, value.length, format);
    };
  }
  if (isDateTime(format)) {
    const dateTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
    return (values, index) => {
      const value = values[index] as string;
      // Most values are shorter than a date-time, and a length check is faster than the pattern.
      return value.length < 19 || !dateTime.test(value);
    };
  }
  // A key in a header can contain these digits by chance. Refusing it would lock out its owner.
  if (part?.kind === 'header') return () => true;
  const digits = new RegExp(`\\d{${timestampDigits[format]}}\\D`);
  return (values, index) => !digits.test(values[index] as string);
}

/**
 * Returns the rule that the text after a timestamp in digits must not start with a digit. The timestamp ends at the
 * last digit of the sequence.
 */
function startsWithoutDigit(next: Next, format: TimestampFormat): readonly Rule[] {
  // Timestamps in a pattern have a fixed width.
  if (typeof format === 'object' || isDateTime(format) || next === undefined) return [];
  return [
    (values, index) => {
      const value = values.slice(index + 2).find(({ length }) => length > 0);
      const code = typeof value === 'string' ? value.charCodeAt(0) : value?.[0];
      return code === undefined || !(code >= 0x30 && code <= 0x39);
    },
  ];
}
