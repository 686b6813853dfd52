import type { TimestampFormat } from '@countersign/runtime/signing';

/** The formats of timestamps that have a name. */
export const timestampFormats: readonly Extract<TimestampFormat, string>[] = [
  'iso-8601',
  'iso-8601-seconds',
  'unix-seconds',
  'unix-milliseconds',
];

/** Returns a format in words. */
export function nameOfFormat(format: TimestampFormat): string {
  return typeof format === 'string' ? format : format.pattern;
}
