import type { Piece } from './hmac.ts';
import type { SignatureScheme, SignedPart } from './scheme.ts';
import { SigningError } from './signing-error.ts';

/** A part of the URL that can be signed. */
export type UrlPart = 'url' | 'path' | 'path-below-base' | 'path-and-query' | 'host-and-path';

/** A parsed signed part: header names in lower case, and the timestamp's header replaced by `timestamp`. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: Piece }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'method' | UrlPart | 'timestamp' }
  | { readonly kind: 'body' };

const kinds = {
  $method: 'method',
  $url: 'url',
  '$url.path': 'path',
  '$url.path-base': 'path-below-base',
  '$url.path+query': 'path-and-query',
  '$url.host+path': 'host-and-path',
  $timestamp: 'timestamp',
  '$request.body': 'body',
} as const;

/** The prefix of a signed part that names a header. */
export const headerPrefix = '$request.header.';

/** The syntax of a header name: a token of RFC 9110, section 5.6.2. */
export const fieldName: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Parses the signed parts of a scheme, without empty text.
 * @throws SigningError `invalid-scheme` for an unknown part, or for the header of the signature itself
 */
export function toParts(scheme: SignatureScheme): readonly Part[] {
  return scheme.over
    .filter((item) => typeof item !== 'object' || item.text !== '')
    .map((item) => toPart(item, scheme));
}

function toPart(item: SignedPart, scheme: SignatureScheme): Part {
  if (typeof item === 'object') return toText(item.text);
  if (Object.hasOwn(kinds, item)) return { kind: kinds[item as keyof typeof kinds] };
  const name = item.slice(headerPrefix.length).toLowerCase();
  if (!item.startsWith(headerPrefix) || !fieldName.test(name))
    throw new SigningError(
      'invalid-scheme',
      `The signature scheme signs an unknown part: ${item}.`,
    );
  if (name === scheme.header.toLowerCase())
    throw new SigningError(
      'invalid-scheme',
      'The signature scheme signs the header that carries the signature.',
    );
  return name === scheme.timestamp?.header?.toLowerCase()
    ? { kind: 'timestamp' }
    : { kind: 'header', name };
}

/** Creates a text part. Characters outside ASCII are signed as UTF-8. */
function toText(text: string): Part {
  const bytes = new TextEncoder().encode(text);
  return { kind: 'text', text, bytes: bytes.length === text.length ? text : bytes };
}
