import type { SignatureScheme } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/** How the value of the signature's header is written and read. */
export interface SignatureValue {
  readonly hasTimestamp: boolean;
  readonly write: (signature: string, timestamp: string | undefined) => string;
  readonly read: (value: string) => SignatureItems | undefined;
}

export interface SignatureItems {
  /** Encoded, as they came; never more than `maximumCandidates`. */
  readonly signatures: readonly string[];
  /** `undefined` where the value carries none. */
  readonly timestamp: string | undefined;
}

/** Signatures of one header that are looked at; any after these are not. */
export const maximumCandidates = 8;

/** Characters of a signature header that are looked at; a longer one is refused unread. */
const maximumLength = 4096;

interface Item {
  readonly kind: 'signature' | 'timestamp' | 'text';
  readonly before: string;
  readonly after: string;
}

/**
 * Reads `value` and `separator` of a scheme. Items are known by the text around them, in any order; where that
 * text does not tell them apart they are known by their place.
 */
export function compileSignatureValue(scheme: SignatureScheme): SignatureValue {
  const { value, separator } = scheme;
  const items = (separator === undefined ? [value] : value.split(separator)).map(toItem);
  const count = (kind: Item['kind']): number => items.filter((item) => item.kind === kind).length;
  if (count('signature') !== 1 || count('timestamp') > 1)
    throw new SigningError(
      'invalid-scheme',
      `The header's value \`${value}\` has to hold {signature} once and {timestamp} at most once, with \`separator\` between them.`,
    );
  const byPlace = items.some((one) =>
    items.some((other) => one !== other && one.kind !== 'text' && resemble(one, other)),
  );
  return {
    hasTimestamp: count('timestamp') === 1,
    write: (signature, timestamp = '') =>
      items
        .map(({ kind, before, after }) => {
          if (kind === 'text') return before;
          return before + (kind === 'signature' ? signature : timestamp) + after;
        })
        .join(separator ?? ''),
    read(text) {
      if (text.length > maximumLength) return undefined;
      const pieces = separator === undefined ? [text] : text.split(separator);
      if (byPlace && pieces.length !== items.length) return undefined;
      return readItems(pieces, items, byPlace);
    },
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
  pieces: readonly string[],
  items: readonly Item[],
  byPlace: boolean,
): SignatureItems | undefined {
  const signatures: string[] = [];
  let timestamp: string | undefined;
  for (let place = 0; place < pieces.length; place++) {
    for (let index = 0; index < items.length; index++) {
      const [piece, item] = [pieces[place], items[index]];
      if (piece === undefined || item === undefined || item.kind === 'text') continue;
      if (byPlace && place !== index) continue;
      const inner = unwrap(piece, item);
      if (inner === undefined) continue;
      if (item.kind === 'signature') {
        if (signatures.length < maximumCandidates) signatures.push(inner);
      } else if (timestamp === undefined) {
        timestamp = inner;
      } else {
        return undefined;
      }
    }
  }
  return { signatures, timestamp };
}

function unwrap(piece: string, { before, after }: Item): string | undefined {
  const fits =
    piece.length >= before.length + after.length &&
    piece.startsWith(before) &&
    piece.endsWith(after);
  return fits ? piece.slice(before.length, piece.length - after.length) : undefined;
}
