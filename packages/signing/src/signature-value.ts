import type { SignatureScheme } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/** Writes and reads the value of the signature header. */
export interface SignatureValue {
  readonly hasTimestamp: boolean;
  readonly write: (signature: string, timestamp: string | undefined) => string;
  /** Returns `undefined` for a value that is too long, has two timestamps or the wrong number of items. */
  readonly read: (value: string) => SignatureItems | undefined;
}

/** The items in the value of a signature header. */
export interface SignatureItems {
  /** The signatures, still encoded; at most `maximumCandidates`. */
  readonly signatures: readonly string[];
  /** `undefined` where the value contains no timestamp. */
  readonly timestamp: string | undefined;
}

/** The maximum number of signatures that are checked in one header. Further ones are ignored. */
export const maximumCandidates = 8;

/** The maximum length of a signature header in characters. A longer one is refused without reading it. */
const maximumLength = 4096;

interface Item {
  readonly kind: 'signature' | 'timestamp' | 'text';
  readonly before: string;
  readonly after: string;
}

/**
 * Compiles `value` and `separator` of a scheme. Items are recognized by the text around them, in any order. Where that
 * text is ambiguous, they are recognized by their position.
 * @throws SigningError `invalid-scheme` unless there is one signature and at most one timestamp
 */
export function compileSignatureValue(scheme: SignatureScheme): SignatureValue {
  const { value, separator } = scheme;
  const items = (separator === undefined ? [value] : value.split(separator)).map(toItem);
  const count = (kind: Item['kind']): number => items.filter((item) => item.kind === kind).length;
  if (count('signature') !== 1 || count('timestamp') > 1)
    throw new SigningError(
      'invalid-scheme',
      `The template \`${value}\` of the signature header must contain {signature} once and {timestamp} at most once, with \`separator\` between them.`,
    );
  const byPlace = items.some((one) =>
    items.some((other) => one !== other && one.kind !== 'text' && resemble(one, other)),
  );
  return {
    hasTimestamp: count('timestamp') === 1,
    write: (signature, timestamp = '') =>
      value.replace('{signature}', () => signature).replace('{timestamp}', () => timestamp),
    read: (text) =>
      text.length > maximumLength ? undefined : readItems(text, separator, items, byPlace),
  };
}

function toItem(text: string): Item {
  const [before = '', after] = text.split('{signature}');
  if (after !== undefined && !text.includes('{timestamp}') && occursOnce(text, '{signature}'))
    return { kind: 'signature', before, after };
  const [early = '', late] = text.split('{timestamp}');
  if (late !== undefined && !text.includes('{signature}') && occursOnce(text, '{timestamp}'))
    return { kind: 'timestamp', before: early, after: late };
  return { kind: 'text', before: text, after: '' };
}

function occursOnce(text: string, part: string): boolean {
  return text.split(part).length === 2;
}

function resemble(one: Item, other: Item): boolean {
  return (
    (one.before.startsWith(other.before) || other.before.startsWith(one.before)) &&
    (one.after.endsWith(other.after) || other.after.endsWith(one.after))
  );
}

function readItems(
  text: string,
  separator: string | undefined,
  items: readonly Item[],
  byPlace: boolean,
): SignatureItems | undefined {
  const signatures: string[] = [];
  let timestamp: string | undefined;
  let place = 0;
  // Does not split the text into an array, which would take more time than all other steps.
  for (let start = 0; start <= text.length; place++) {
    const found = separator === undefined ? -1 : text.indexOf(separator, start);
    const end = found === -1 ? text.length : found;
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      if (item === undefined || item.kind === 'text' || (byPlace && place !== index)) continue;
      const inner = unwrap(text, start, end, item);
      if (inner === undefined) continue;
      if (item.kind === 'signature') {
        if (signatures.length < maximumCandidates) signatures.push(inner);
      } else if (timestamp === undefined) {
        timestamp = inner;
      } else {
        return undefined;
      }
    }
    start = end + (separator?.length ?? 1);
  }
  return byPlace && place !== items.length ? undefined : { signatures, timestamp };
}

function unwrap(
  text: string,
  start: number,
  end: number,
  { before, after }: Item,
): string | undefined {
  const from = start + before.length;
  const to = end - after.length;
  const fits = from <= to && text.startsWith(before, start) && text.endsWith(after, end);
  return fits ? text.slice(from, to) : undefined;
}
