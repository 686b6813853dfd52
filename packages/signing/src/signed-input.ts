import type { AddPiece, CompiledScheme, InputRefusal } from './compiled-scheme.ts';
import type { Piece } from './hmac.ts';
import type { Part, UrlPart } from './part.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SignableRequest } from './request.ts';

/** The maximum length of a signed header in characters. By default, no server accepts a longer one. */
const maximumHeader = 8192;

/**
 * Returns the signed bytes in pieces, without copying them, or a refusal.
 * @param timestamp the text that is sent; required where the scheme signs a timestamp
 */
export function toSignedInput(
  { adders, framing }: Pick<CompiledScheme, 'adders' | 'framing'>,
  request: SignableRequest,
  timestamp: string | undefined,
): readonly Piece[] | InputRefusal {
  if (!(request.body instanceof Uint8Array)) return refuse('body-not-bytes');
  const pieces: Piece[] = [];
  for (const add of adders) {
    const refusal = add(pieces, request, timestamp);
    if (refusal !== undefined) return refusal;
  }
  return framing === undefined || framing(pieces) ? pieces : refuse('ambiguous-framing');
}

/** Returns whether the input is a list of pieces and not a refusal. */
export function isPieces(input: readonly Piece[] | InputRefusal): input is readonly Piece[] {
  return Array.isArray(input);
}

/** Returns the single value of a header, or a refusal where it is missing, empty, repeated or not text. */
export function readHeader(
  request: SignableRequest,
  name: string,
): string | Refusal<'missing-header' | 'repeated-header' | 'malformed-header'> {
  const values: unknown = request.headers(name);
  if (!Array.isArray(values) || values.length === 0) return refuse('missing-header');
  if (values.length > 1) return refuse('repeated-header');
  const value: unknown = values[0];
  if (value === '') return refuse('missing-header');
  return typeof value === 'string' ? value : refuse('malformed-header');
}

/** Returns the function that adds the value of a part. Everything that depends only on the part is computed here. */
export function compilePart(part: Part): AddPiece {
  switch (part.kind) {
    case 'text':
      return (pieces) => void pieces.push(part.bytes);
    case 'body':
      return (pieces, { body }) => void pieces.push(body);
    case 'timestamp':
      return (pieces, _, timestamp) =>
        timestamp === undefined ? refuse('malformed-timestamp') : void pieces.push(timestamp);
    case 'method':
      return (pieces, { method }) =>
        /^[A-Z]{1,32}$/.test(method) ? void pieces.push(method) : refuse('malformed-method');
    case 'header':
      return (pieces, request) => {
        const value = readHeader(request, part.name);
        if (typeof value === 'object') return value;
        return isFieldValue(value) ? void pieces.push(value) : refuse('malformed-header');
      };
    default: {
      const { kind } = part;
      return (pieces, { url, basePath }) => {
        const value = toUrlValue(kind, url, basePath);
        return value === undefined ? refuse('malformed-url') : void pieces.push(value);
      };
    }
  }
}

/** Returns whether a value is visible ASCII with spaces only between other characters, within the length limit. */
function isFieldValue(value: string): boolean {
  const { length } = value;
  return (
    length <= maximumHeader &&
    isAscii(value, 0x20) &&
    value.charCodeAt(0) !== 0x20 &&
    value.charCodeAt(length - 1) !== 0x20
  );
}

/**
 * Returns the part of the URL that is signed, or `undefined` for a malformed URL, for one without the host where the
 * host is signed, and for one outside of the base path. Does not normalize it: the signature covers the text that is
 * sent.
 */
function toUrlValue(kind: UrlPart, url: string, basePath = ''): string | undefined {
  if (typeof url !== 'string' || !isAscii(url, 0x21) || url.includes('#')) return undefined;
  const origin = url.startsWith('/') ? '' : /^https?:\/\/[^/?]+/i.exec(url)?.[0];
  if (origin === undefined) return undefined;
  if (kind === 'url') return origin === '' ? undefined : url;
  const rest = url.slice(origin.length);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  const query = kind === 'path-and-query' ? -1 : target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query);
  if (kind === 'path-below-base') return belowBase(path, basePath);
  if (kind !== 'host-and-path') return path;
  return origin === '' ? undefined : origin.slice(origin.indexOf('//') + 2).toLowerCase() + path;
}

/** Returns a path without the base path, or `undefined` for one that is not below it. */
function belowBase(path: string, basePath: string): string | undefined {
  const base = basePath.endsWith('/') ? basePath.slice(0, -1) : basePath;
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}

/** Returns whether all character codes are from `first` to 0x7E. A loop is faster than a regular expression here. */
function isAscii(text: string, first: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < first || code > 0x7e) return false;
  }
  return true;
}
