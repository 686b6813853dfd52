/** The format of a time: a date-time in UTC, or whole seconds or milliseconds since 1970. */
export type TimeFormat = 'iso-8601' | 'iso-8601-seconds' | 'unix-seconds' | 'unix-milliseconds';

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTime(milliseconds: number, format: TimeFormat = 'iso-8601'): string {
  if (format.startsWith('iso')) {
    const text = new Date(milliseconds).toISOString();
    return format === 'iso-8601' ? text : text.replace(/\.\d+/, '');
  }
  return String(Math.floor(format === 'unix-seconds' ? milliseconds / 1000 : milliseconds));
}
