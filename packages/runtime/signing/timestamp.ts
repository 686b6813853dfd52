import type { TimestampPatterns } from './core-parts.ts';
import type { TimestampFormat } from './scheme.ts';
/** Returns the number of digits of a numeric timestamp. It is correct for times from 2001 to 2286. */
export function timestampDigits(format: TimestampFormat): number {
  return format === 'unix-seconds' ? 10 : 13;
}

/** Returns whether a format is a date-time of ISO 8601. */
export function isDateTime(format: Extract<TimestampFormat, string>): boolean {
  return format.startsWith('iso');
}

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTimestamp(
  milliseconds: number,
  format: TimestampFormat,
  patterns?: TimestampPatterns,
): string {
  if (typeof format === 'object')
    return (patterns as TimestampPatterns).write(milliseconds, format);
  if (isDateTime(format)) {
    const text = new Date(milliseconds).toISOString();
    return format === 'iso-8601' ? text : text.replace(/\.\d+/, '');
  }
  return String(Math.floor(format === 'unix-seconds' ? milliseconds / 1000 : milliseconds));
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(
  text: string,
  format: TimestampFormat,
  patterns?: TimestampPatterns,
): number {
  if (typeof format === 'object') return (patterns as TimestampPatterns).parse(text, format);
  if (isDateTime(format)) return parseDateTime(text);
  const length = timestampDigits(format);
  let count = text.length === length && !text.startsWith('0') ? 0 : Number.NaN;
  for (let index = 0; index < length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    count = digit >= 0 && digit <= 9 ? 10 * count + digit : Number.NaN;
  }
  return length === 10 ? 1000 * count : count;
}

const dateTime =
  /^(?:19[7-9]|[2-9]\d\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses `2026-01-31T12:00:00` with an optional fraction of 1 to 9 digits, and `Z` or an offset such as `-03:00`. */
function parseDateTime(text: string): number {
  if (!dateTime.test(text)) return Number.NaN;
  // The pattern has checked that these characters are digits, whose codes start at 48.
  const at = (start: number): number =>
    10 * text.charCodeAt(start) + text.charCodeAt(start + 1) - 528;
  const day = at(8);
  const date = Date.UTC(100 * at(0) + at(2), at(5) - 1, day);
  // `Date` turns February 30 into a day of March.
  if (day > 28 && new Date(date).getUTCDate() !== day) return Number.NaN;
  const end = text.length;
  const offset = text.endsWith('Z') ? 0 : 60 * at(end - 5) + at(end - 2);
  const minutes = 60 * at(11) + at(14) + (text[end - 6] === '+' ? -offset : offset);
  // In milliseconds; further digits are cut off.
  const fraction = text[19] === '.' ? Math.floor(1000 * Number.parseFloat(text.slice(19))) : 0;
  return date + 60_000 * minutes + 1000 * at(17) + fraction;
}
