import type { Part } from './part.ts';
import type { TimestampFormat } from './scheme.ts';
import { SigningError } from './signing-error.ts';
import { timestampDigits } from './timestamp.ts';

/**
 * Whether the values of a request, one for each part, are told apart by what is signed. Where it holds, no other
 * values for which it holds are the same bytes when concatenated; a header straight before a timestamp in digits
 * is the exception, and has to be one whose value the verifier knows.
 */
export type Framing = (values: readonly (string | Uint8Array)[]) => boolean;

type Rule = (values: readonly (string | Uint8Array)[], index: number) => boolean;
type Next = Part | undefined;

/**
 * What has to be asserted of a request so that its signature is its alone: nothing where constant texts and
 * timestamps leave one part of unknown length. Throws `ambiguous-framing` where nothing could be asserted.
 */
export function compileFraming(
  parts: readonly Part[],
  format: TimestampFormat | undefined,
): Framing | undefined {
  const variable = parts.flatMap((part, index) => (hasKnownLength(part) ? [] : [index]));
  // What follows the last part of unknown length is counted from the end.
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

/** What has to hold so that the end of one part can be found. */
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
    `Nothing tells where the signed ${part?.kind} ends and the ${next?.kind} after it begins, whatever they hold.`,
  );
}

const slash = 0x2f;

/**
 * A body before something that begins with a known character: empty; or one JSON object or array, where no
 * bracket follows it; or text without that character.
 */
function endsBodyBefore(next: Next): Rule {
  const first = next?.kind === 'text' ? new TextEncoder().encode(next.text)[0] : slash;
  const delimiter =
    next?.kind === 'text' || next?.kind.startsWith('path') === true || next?.kind === 'url'
      ? first
      : undefined;
  if (delimiter === undefined)
    throw new SigningError(
      'ambiguous-framing',
      `Nothing tells where the signed body ends and the ${next?.kind} after it begins, whatever they hold.`,
    );
  const mayBeJson = !isBracket(delimiter);
  return (values, index) => {
    const body = values[index] as Uint8Array;
    const start = body[0];
    if (start === undefined) return true;
    if (!mayBeJson || !isOpening(start)) return !body.includes(delimiter);
    let end = body.length - 1;
    while (isSpace(body[end])) end--;
    // In ASCII a closing bracket comes second after its opening one.
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

/** Text before a body: the body is empty, or begins with the first bracket there is. */
const endsAtBrackets: Rule = (values, index) => {
  const value = values[index] as string;
  const start = (values[index + 1] as Uint8Array)[0];
  return !value.includes('{') && !value.includes('[') && (start === undefined || isOpening(start));
};

/** Text before a timestamp holds no whole timestamp itself. */
function endsAtTimestamp(part: Part | undefined, format: TimestampFormat): Rule {
  if (format === 'iso-8601') {
    const dateTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
    return (values, index) => {
      const value = values[index] as string;
      // Most keys are shorter, which costs less to see.
      return value.length < 19 || !dateTime.test(value);
    };
  }
  // Keys are full of digits; refusing those that happen to look like an instant would lock their owners out.
  if (part?.kind === 'header') return () => true;
  const digits = new RegExp(`\\d{${timestampDigits[format]}}\\D`);
  return (values, index) => !digits.test(values[index] as string);
}

/** What follows a timestamp in digits does not go on with a digit: the last of them is the timestamp's last. */
function startsWithoutDigit(next: Next, format: TimestampFormat): readonly Rule[] {
  if (format === 'iso-8601' || next === undefined) return [];
  return [
    (values, index) => {
      const value = values.slice(index + 2).find(({ length }) => length > 0);
      const code = typeof value === 'string' ? value.charCodeAt(0) : value?.[0];
      return code === undefined || !(code >= 0x30 && code <= 0x39);
    },
  ];
}
