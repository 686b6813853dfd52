/**
 * The format of a time: a date-time in UTC, whole seconds or milliseconds since 1970, or a pattern with the fields `yyyy`,
 * `MM`, `MMM`, `dd`, `EEE`, `HH`, `mm`, `ss`, `SSS`, `xx` and `xxx`, for the time at an offset from UTC such as `-03:00`.
 */
export type TimeFormat =
  | 'iso-8601'
  | 'iso-8601-seconds'
  | 'unix-seconds'
  | 'unix-milliseconds'
  | { readonly pattern: string; readonly offset?: string };

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTime(milliseconds: number, format: TimeFormat = 'iso-8601'): string {
  if (typeof format === 'object') return writePattern(milliseconds, format.pattern, format.offset);
  if (format.startsWith('iso')) {
    const text = new Date(milliseconds).toISOString();
    return format === 'iso-8601' ? text : text.replace(/\.\d+/, '');
  }
  return String(Math.floor(format === 'unix-seconds' ? milliseconds / 1000 : milliseconds));
}

/** Writes a time as signers of `@countersign/signing` do, which a test compares. */
function writePattern(milliseconds: number, pattern: string, offset = '+00:00'): string {
  const minutes = 60 * Number(offset.slice(1, 3)) + Number(offset.slice(4));
  const local = new Date(milliseconds + 60_000 * (offset.startsWith('-') ? -minutes : minutes));
  const [iso, words] = [local.toISOString(), local.toUTCString()];
  const values: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    MMM: words.slice(8, 11),
    dd: iso.slice(8, 10),
    EEE: words.slice(0, 3),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
    xxx: offset,
    xx: offset.replace(':', ''),
  };
  return pattern.replaceAll(
    /'([^']*)'|yyyy|MMM|MM|dd|EEE|HH|mm|ss|SSS|xxx|xx/g,
    (name, text: string | undefined) => text ?? values[name] ?? name,
  );
}
