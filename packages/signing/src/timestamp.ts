import type { TimestampFormat } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/** Digits of a timestamp that counts; the numbers of digits hold from 2001 to 2286. */
export const timestampDigits: Readonly<Record<Exclude<TimestampFormat, 'iso-8601'>, number>> = {
  'unix-seconds': 10,
  'unix-milliseconds': 13,
};

/** Writes an instant given in milliseconds since 1970. */
export function writeTimestamp(milliseconds: number, format: TimestampFormat): string {
  if (!(milliseconds >= 1e12 && milliseconds < 1e13))
    throw new SigningError('invalid-option', 'The clock tells no time between 2001 and 2286.');
  if (format === 'unix-seconds') return String(Math.floor(milliseconds / 1000));
  if (format === 'unix-milliseconds') return String(Math.floor(milliseconds));
  return new Date(milliseconds).toISOString();
}

/** Milliseconds since 1970; `undefined` for text that is not written exactly in the format. */
export function parseTimestamp(text: string, format: TimestampFormat): number | undefined {
  if (format === 'iso-8601') return parseDateTime(text);
  const length = timestampDigits[format];
  if (text.length !== length || text.startsWith('0')) return undefined;
  const count = digitsAt(text, 0, length);
  if (count === undefined) return undefined;
  return format === 'unix-seconds' ? 1000 * count : count;
}

/** `2026-01-31T12:00:00`, a fraction of up to nine digits or none, then `Z` or an offset such as `-03:00`. */
function parseDateTime(text: string): number | undefined {
  if (text.length < 20 || text.length > 35) return undefined;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  if (
    year === undefined ||
    month === undefined ||
    day === undefined ||
    hour === undefined ||
    minute === undefined ||
    second === undefined ||
    year < 1970 ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    !hasPunctuation(text)
  )
    return undefined;
  let end = 19;
  let fraction = 0;
  if (text.charCodeAt(end) === 0x2e) {
    const first = ++end;
    while (digitsAt(text, end, 1) !== undefined) end++;
    const digits = end - first;
    if (digits === 0 || digits > 9) return undefined;
    fraction = Number(text.slice(first, Math.min(end, first + 3)).padEnd(3, '0'));
  }
  const offset = offsetAt(text, end);
  if (offset === undefined || month < 1 || month > 12 || day < 1 || day > daysOf(year, month))
    return undefined;
  return (
    Date.UTC(year, month - 1, day) + 1000 * (60 * (60 * hour + minute - offset) + second) + fraction
  );
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function hasPunctuation(text: string): boolean {
  return (
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a
  );
}

/** Minutes that local time is ahead of UTC, where the rest of the text is nothing but an offset. */
function offsetAt(text: string, start: number): number | undefined {
  const sign = text.charCodeAt(start);
  if (sign === 0x5a) return text.length === start + 1 ? 0 : undefined;
  const hours = digitsAt(text, start + 1, 2);
  const minutes = digitsAt(text, start + 4, 2);
  if (
    text.length !== start + 6 ||
    (sign !== 0x2b && sign !== 0x2d) ||
    text.charCodeAt(start + 3) !== 0x3a ||
    hours === undefined ||
    minutes === undefined ||
    hours > 23 ||
    minutes > 59
  )
    return undefined;
  return (sign === 0x2d ? -1 : 1) * (60 * hours + minutes);
}

function digitsAt(text: string, start: number, length: number): number | undefined {
  let number = 0;
  for (let index = start; index < start + length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    // Past the end of the text the code is NaN, which no comparison lets through.
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = 10 * number + digit;
  }
  return number;
}
