import type { Piece } from './hmac.ts';
import type { SignatureScheme, SignedPart } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/** A signed part as the code works with it: names in lower case, the timestamp's header known as the timestamp. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: Piece }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'method' | 'url' | 'path' | 'path-and-query' | 'timestamp' }
  | { readonly kind: 'body' };

const kinds = {
  $method: 'method',
  $url: 'url',
  '$url.path': 'path',
  '$url.path+query': 'path-and-query',
  $timestamp: 'timestamp',
  '$request.body': 'body',
} as const;

/** What stands before the name of a header that is signed. */
export const headerPrefix = '$request.header.';

/** What may stand as the name of a header. */
export const fieldName: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The parts of a scheme. Throws `invalid-scheme`. */
export function toParts(scheme: SignatureScheme): readonly Part[] {
  return scheme.over.map((item) => toPart(item, scheme));
}

function toPart(item: SignedPart, scheme: SignatureScheme): Part {
  if (typeof item === 'object') return toText(item.text);
  if (Object.hasOwn(kinds, item)) return { kind: kinds[item as keyof typeof kinds] };
  const name = item.slice(headerPrefix.length).toLowerCase();
  if (!item.startsWith(headerPrefix) || !fieldName.test(name))
    throw new SigningError('invalid-scheme', `${item} is nothing that can be signed.`);
  if (name === scheme.header.toLowerCase())
    throw new SigningError(
      'invalid-scheme',
      'The header of the signature cannot itself be signed.',
    );
  return name === scheme.timestamp?.header?.toLowerCase()
    ? { kind: 'timestamp' }
    : { kind: 'header', name };
}

/** Text beyond ASCII is signed as UTF-8. */
function toText(text: string): Part {
  const bytes = new TextEncoder().encode(text);
  return { kind: 'text', text, bytes: bytes.length === text.length ? text : bytes };
}
