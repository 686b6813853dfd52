import type { TimestampFormat } from './scheme.ts';
import {
  parseTimestampPattern,
  type TimestampPattern,
  writeTimestampPattern,
} from './timestamp-pattern.ts';

/** The number of digits of a numeric timestamp. It is correct for times from 2001 to 2286. */
export const timestampDigits: Readonly<
  Record<Exclude<TimestampFormat, `iso-8601${string}` | TimestampPattern>, number>
> = {
  'unix-seconds': 10,
  'unix-milliseconds': 13,
};

/** Returns whether a format is a date-time of ISO 8601. */
export function isDateTime(format: TimestampFormat): format is 'iso-8601' | 'iso-8601-seconds' {
  return format === 'iso-8601' || format === 'iso-8601-seconds';
}

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTimestamp(milliseconds: number, format: TimestampFormat): string {
  if (typeof format === 'object') return writeTimestampPattern(milliseconds, format);
  if (isDateTime(format)) {
    const text = new Date(milliseconds).toISOString();
    return format === 'iso-8601' ? text : text.replace(/\.\d+/, '');
  }
  return String(Math.floor(format === 'unix-seconds' ? milliseconds / 1000 : milliseconds));
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(text: string, format: TimestampFormat): number {
  if (typeof format === 'object') return parseTimestampPattern(text, format);
  if (isDateTime(format)) return parseDateTime(text);
  const length = timestampDigits[format];
  const count = text.length === length ? digitsAt(text, 0, length) : Number.NaN;
  if (count < 10 ** (length - 1)) return Number.NaN;
  return format === 'unix-seconds' ? 1000 * count : count;
}

/** Parses `2026-01-31T12:00:00` with an optional fraction of 1 to 9 digits, and `Z` or an offset such as `-03:00`. */
function parseDateTime(text: string): number {
  const year = 100 * twoDigitsAt(text, 0) + twoDigitsAt(text, 2);
  const month = twoDigitsAt(text, 5);
  const day = twoDigitsAt(text, 8);
  const seconds = twoDigitsAt(text, 17);
  let end = 19;
  let fraction = 0;
  if (text.charCodeAt(end) === 0x2e) {
    const first = ++end;
    while (end < first + 10 && digitsAt(text, end, 1) >= 0) end++;
    if (end === first || end === first + 10) return Number.NaN;
    // In milliseconds; further digits are cut off.
    const count = Math.min(end - first, 3);
    fraction = digitsAt(text, first, count) * 10 ** (3 - count);
  }
  const minutes = minutesAt(text, 11) - offsetAt(text, end);
  const exists =
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(16) === 0x3a &&
    year >= 1970 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month) &&
    seconds <= 59;
  return exists
    ? Date.UTC(year, month - 1, day) + 1000 * (60 * minutes + seconds) + fraction
    : Number.NaN;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Returns the minutes that local time is ahead of UTC, or `NaN` where the rest of the text is not an offset. */
function offsetAt(text: string, start: number): number {
  const sign = text.charCodeAt(start);
  if (sign === 0x5a) return text.length === start + 1 ? 0 : Number.NaN;
  if (text.length !== start + 6 || (sign !== 0x2b && sign !== 0x2d)) return Number.NaN;
  const minutes = minutesAt(text, start + 1);
  return sign === 0x2b ? minutes : -minutes;
}

/** Returns the minutes since midnight of a time such as `12:00`. */
function minutesAt(text: string, start: number): number {
  const hour = twoDigitsAt(text, start);
  const minute = twoDigitsAt(text, start + 3);
  return hour <= 23 && minute <= 59 && text.charCodeAt(start + 2) === 0x3a
    ? 60 * hour + minute
    : Number.NaN;
}

function twoDigitsAt(text: string, start: number): number {
  const tens = text.charCodeAt(start) - 0x30;
  const units = text.charCodeAt(start + 1) - 0x30;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? 10 * tens + units : Number.NaN;
}

/** Returns the number, or `NaN` where a character is not a digit. Every comparison with `NaN` is false. */
function digitsAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let index = start; index < start + length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    // After the end of the text, `charCodeAt` returns `NaN`.
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = 10 * number + digit;
  }
  return number;
}
