import {
  parseTimestampPattern,
  type TimestampFormat,
  writeTimestampPattern,
} from '@countersign/signing';

/** The formats of timestamps that have a name. */
export const timestampFormats: readonly Extract<TimestampFormat, string>[] = [
  'iso-8601',
  'iso-8601-seconds',
  'unix-seconds',
  'unix-milliseconds',
];

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;

/** Returns a format in words. */
export function nameOfFormat(format: TimestampFormat): string {
  return typeof format === 'string' ? format : format.pattern;
}

/** Returns the time that a text represents in a format, in milliseconds since 1970, or `NaN`. */
export function instantOf(text: string, format: TimestampFormat): number {
  if (typeof format === 'object') return parseTimestampPattern(text, format);
  switch (format) {
    case 'unix-seconds':
      return /^\d{10}$/u.test(text) ? 1000 * Number(text) : Number.NaN;
    case 'unix-milliseconds':
      return /^\d{13}$/u.test(text) ? Number(text) : Number.NaN;
    default:
      return dateTime.test(text) ? Date.parse(text) : Number.NaN;
  }
}

/** Writes a time in a format. */
export function writeInstant(milliseconds: number, format: TimestampFormat): string {
  if (typeof format === 'object') return writeTimestampPattern(milliseconds, format);
  switch (format) {
    case 'unix-seconds':
      return String(Math.floor(milliseconds / 1000));
    case 'unix-milliseconds':
      return String(milliseconds);
    case 'iso-8601-seconds':
      return new Date(milliseconds).toISOString().replace(/\.\d+/u, '');
    default:
      return new Date(milliseconds).toISOString();
  }
}
