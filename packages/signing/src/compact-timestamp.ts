import type { TimestampFormat } from './scheme.ts';
import { parseTimestampPattern } from './timestamp-pattern.ts';

const dateTime =
  /^(?:19[7-9]|[2-9]\d\d)\d(?:-\d\d){2}T\d\d(?::\d\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(text: string, format: TimestampFormat): number {
  if (typeof format === 'object') return parseTimestampPattern(text, format);
  if (format === 'unix-seconds')
    return /^[1-9]\d{9}$/.test(text) ? 1000 * Number(text) : Number.NaN;
  if (format === 'unix-milliseconds') return /^[1-9]\d{12}$/.test(text) ? Number(text) : Number.NaN;
  // `Date` turns February 30 into a day of March, and some other invalid dates and times into an invalid `Date`.
  const local = text.slice(0, 19);
  const exists = new Date(`${local}Z`).toJSON()?.startsWith(local);
  return dateTime.test(text) && exists ? Date.parse(text) : Number.NaN;
}
