import type { TimestampPatterns } from './core-parts.ts';
import type { TimestampPattern } from './scheme.ts';

const field = /'([^']*)'|yyyy|MMM|MM|dd|EEE|HH|mm|ss|SSS|xxx|xx/g;
const offsetForm = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

/** Returns whether a value is a pattern that determines a time to the second, with a valid offset. */
export function isTimestampPattern(value: unknown): value is TimestampPattern {
  const { pattern, offset = '+00:00' } = Object(value) as Record<string, unknown>;
  if (typeof pattern !== 'string' || typeof offset !== 'string') return false;
  const fields = fieldsOf({ pattern });
  const isComplete = ['yyyy', 'dd', 'HH', 'mm', 'ss'].every((name) => fields.includes(name));
  return (
    isComplete &&
    (fields.includes('MM') || fields.includes('MMM')) &&
    /^[ -~]+$/.test(pattern) &&
    !/[A-Za-z']/.test(pattern.replace(field, '')) &&
    offsetForm.test(offset)
  );
}

/** Writes a time, given in milliseconds since 1970, in a pattern. */
export function writeTimestampPattern(
  milliseconds: number,
  { pattern, offset = '+00:00' }: TimestampPattern,
): string {
  const local = new Date(milliseconds + 60_000 * minutesOf(offset));
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
  return pattern.replace(field, (name, text: string | undefined) => text ?? values[name] ?? name);
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the pattern. */
export function parseTimestampPattern(text: string, format: TimestampPattern): number {
  const values: Record<string, string> = {};
  let end = 0;
  let last = 0;
  for (const { 0: name, 1: quoted, index } of format.pattern.matchAll(field)) {
    const start = end + index - last;
    end = start + (quoted ?? name).length + (name.startsWith('x') ? 3 : 0);
    last = index + name.length;
    values[name] = text.slice(start, end);
  }
  const { yyyy, MM = monthOf(values['MMM']), dd, HH, mm, ss, SSS = '000', xxx, xx } = values;
  const offset = xxx ?? xx?.replace(/^(...)(..)$/, '$1:$2') ?? format.offset ?? '+00:00';
  if (!offsetForm.test(offset)) return Number.NaN;
  const instant = Date.parse(`${yyyy}-${MM}-${dd}T${HH}:${mm}:${ss}.${SSS}${offset}`);
  // A time that does not exist, a wrong day of the week and any other text are written differently.
  return instant >= 0 && writeTimestampPattern(instant, { ...format, offset }) === text
    ? instant
    : Number.NaN;
}

/** The functions for schemes with timestamps in a pattern. */
export const timestampPatterns: TimestampPatterns = {
  write: writeTimestampPattern,
  parse: parseTimestampPattern,
  framing(isHeader, index, { pattern }) {
    const expression = expressionOf(pattern);
    // A key in a header can end with digits that a timestamp could begin with. Refusing it would lock out its owner.
    if (isHeader && /^(?:\\d\{\d\})+$/.test(expression)) return () => true;
    const timestamp = new RegExp(expression);
    return (values) => {
      const value = values[index] as string;
      const match = timestamp.exec(`${value}${String(values[index + 1])}`);
      return match === null || match.index >= value.length;
    };
  },
};

/** Returns a regular expression of fixed width for the texts in a pattern. */
function expressionOf(pattern: string): string {
  let expression = '';
  let last = 0;
  for (const { 0: name, 1: quoted, index } of pattern.matchAll(field)) {
    expression += escape(pattern.slice(last, index));
    if (quoted !== undefined) expression += escape(quoted);
    else if (name === 'MMM' || name === 'EEE') expression += '[A-Z][a-z]{2}';
    else if (name.startsWith('x')) expression += `[+-]\\d\\d${name === 'xxx' ? ':' : ''}\\d\\d`;
    else expression += `\\d{${name.length}}`;
    last = index + name.length;
  }
  return expression + escape(pattern.slice(last));
}

function fieldsOf({ pattern }: TimestampPattern): readonly string[] {
  return Array.from(pattern.matchAll(field), ([name]) => name);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function minutesOf(offset: string): number {
  const minutes = 60 * Number(offset.slice(1, 3)) + Number(offset.slice(4));
  return offset.startsWith('-') ? -minutes : minutes;
}

/** Returns the number of a month, such as `01` for `Jan`. */
function monthOf(name = ''): string {
  const index = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(name) / 3;
  return String(index + 1).padStart(2, '0');
}
