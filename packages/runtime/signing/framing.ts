import type { CoreParts, Framing, TimestampPatterns } from './core-parts.ts';
import type { Part } from './part.ts';
import type { TimestampFormat } from './scheme.ts';
import { isDateTime, timestampDigits } from './timestamp.ts';

/**
 * Compiles the check that a request shares its signature with no other request. Nothing is checked where at most one
 * part has an unknown length.
 * @throws the error for `ambiguous-framing` where no check can determine the end of a part
 */
export function compileFraming(
  parts: readonly Part[],
  format: TimestampFormat | undefined,
  core: CoreParts,
): Framing {
  // The parts after the last one of unknown length have known lengths, counted from the end.
  const last = parts.findLastIndex(hasUnknownLength);
  const rules = parts.flatMap((part, index) =>
    index < last && hasUnknownLength(part) ? toRule(parts, index, last, format, core) : [],
  );
  return (values) => rules.every((rule) => rule(values));
}

function hasUnknownLength({ kind }: Part): boolean {
  return kind !== 'text' && kind !== '$timestamp';
}

/** Returns the rule that makes the end of a part of unknown length detectable. */
function toRule(
  parts: readonly Part[],
  index: number,
  last: number,
  format: TimestampFormat | undefined,
  core: CoreParts,
): Framing {
  const [{ kind }, next] = parts.slice(index) as [Part, Part];
  const isHost = next.kind === '$url.host+path';
  const delimiter = next.kind === 'text' ? next.text : next.kind.startsWith('$url') ? '/' : '';
  if (kind === '$request.body') {
    if (delimiter !== '') return endsBodyBefore(delimiter, index, isHost);
  } else if (next.kind === 'text' || (delimiter !== '' && !isHost && !kind.startsWith('$url'))) {
    return (values) => {
      const value = values[index] as string;
      return delimiter.length === 1
        ? !value.includes(delimiter)
        : (value + delimiter).indexOf(delimiter) === value.length;
    };
  } else if (next.kind === '$timestamp' && format) {
    return endsAtTimestamp(kind === 'header', index, format, core);
  } else if (next.kind === '$request.body' && last === index + 1) {
    // The text has no `[` or `{`, and the body is empty or starts with one.
    return (values) =>
      !/[[{]/.test(values[index] as string) && isOpening((values[last] as Uint8Array)[0] ?? 0x7b);
  }
  throw core.toError('ambiguous-framing', `${kind} ${next.kind}`);
}

/**
 * Returns the rule for a body that precedes text or a URL. The body must be empty; or one JSON object or array, without
 * a closing bracket in any later part; or text without the first character of what follows. The verifier knows its host,
 * so that other text before a host may contain any character.
 */
function endsBodyBefore(delimiter: string, index: number, isHost: boolean): Framing {
  const [first = 0] = new TextEncoder().encode(delimiter);
  const mayBeJson = !/^[[\]{}]/.test(delimiter);
  return (values) => {
    const body = values[index] as Uint8Array;
    const start = body[0];
    if (start === undefined) return true;
    if (!mayBeJson || !isOpening(start)) return isHost || !body.includes(first);
    let end = body.length - 1;
    while (spaces.includes(body[end] ?? 0)) end--;
    // In ASCII, the code of a closing bracket is that of its opening bracket plus 2.
    return (
      body[end] === start + 2 &&
      values.every((value, place) => place <= index || !(holds(value, '}') || holds(value, ']')))
    );
  };
}

const spaces = [0x20, 0x0a, 0x0d, 0x09];

function holds(value: string | Uint8Array, character: string): boolean {
  return typeof value === 'string'
    ? value.includes(character)
    : value.includes(character.charCodeAt(0));
}

/** Returns whether a byte is `[` or `{`, whose codes differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/**
 * Returns the rule that text before a timestamp must not contain a complete timestamp itself. No digit may follow a
 * timestamp in digits, which ends at the last digit of the sequence.
 */
function endsAtTimestamp(
  isHeader: boolean,
  index: number,
  format: TimestampFormat,
  { patterns }: CoreParts,
): Framing {
  if (typeof format === 'object')
    return (patterns as TimestampPatterns).framing(isHeader, index, format);
  if (isDateTime(format)) {
    const dateTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
    return (values) => {
      const value = values[index] as string;
      // Most values are shorter than a date-time, and a length check is faster than the pattern.
      return value.length < 19 || !dateTime.test(value);
    };
  }
  const digits = new RegExp(`\\d{${timestampDigits(format)}}\\D`);
  return (values) => {
    // A key in a header can contain these digits by chance. Refusing it would lock out its owner.
    if (!isHeader && digits.test(values[index] as string)) return false;
    const value = values.slice(index + 2).find(({ length }) => length > 0);
    const code = typeof value === 'string' ? value.charCodeAt(0) : value?.[0];
    return code === undefined || code < 0x30 || code > 0x39;
  };
}
