import type { CoreParts } from './core-parts.ts';
import { compileFraming } from './framing.ts';
import type { Piece } from './hmac.ts';
import { type Part, toParts } from './part.ts';
import { type Refusal, refuse, type VerificationFailure } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureForm } from './scheme.ts';
import type { InputProblem } from './signing-error.ts';

/** The signed bytes in pieces, or a refusal. */
export type SignedInput = readonly Piece[] | Refusal<InputProblem>;

/**
 * Returns a function that returns the signed bytes of a request in pieces, without copying them, or a refusal. Its second
 * argument is the text of the timestamp that is sent; empty where the scheme signs no timestamp.
 * @throws the error for `ambiguous-framing` where the signed parts can never be separated
 */
export function compileSignedInput(
  scheme: SignatureForm,
  core: CoreParts,
): (request: SignableRequest, timestamp: string) => SignedInput {
  const format = scheme.timestamp?.format;
  if (typeof format === 'object' && !core.patterns)
    throw core.toError('invalid-scheme', 'patterns');
  const parts = toParts(scheme);
  const framing = compileFraming(parts, format, core);
  return (request, timestamp) => {
    const { method, body } = request;
    if (!(body instanceof Uint8Array)) return refuse('body-not-bytes');
    const pieces: Piece[] = [];
    for (const { kind, text } of parts) {
      let piece: Piece | undefined = text;
      if (kind === '$request.body') piece = body;
      else if (kind === '$timestamp') piece = timestamp;
      else if (kind === 'header') {
        const value = readHeader(request, text, 'missing-header');
        if (typeof value === 'object') return value;
        if (!isFieldValue(value)) return refuse('malformed-header');
        piece = value;
      } else if (kind === '$method') {
        if (!/^[A-Z]{1,32}$/.test(method)) return refuse('malformed-method');
        piece = method;
      } else if (kind !== 'text') {
        piece = toUrlValue(kind, request);
        if (!piece) return refuse('malformed-url');
      } else if (!isAscii(text, 0)) piece = new TextEncoder().encode(text);
      pieces.push(piece);
    }
    return framing(pieces) ? pieces : refuse('ambiguous-framing');
  };
}

/**
 * Returns the single value of a header, or a refusal where it is repeated or not text.
 * @param missing the reason for a header that is missing or empty; without it, the result is an empty text
 */
export function readHeader<Missing extends VerificationFailure = never>(
  { headers }: SignableRequest,
  name: string,
  missing?: Missing,
): string | Refusal<Missing | 'repeated-header' | 'malformed-header'> {
  const values: unknown = headers(name);
  const list: readonly unknown[] = Array.isArray(values) ? values : [];
  if (list.length > 1) return refuse('repeated-header');
  const value = list[0] ?? '';
  if (value === '' && missing) return refuse(missing);
  return typeof value === 'string' ? value : refuse('malformed-header');
}

/** Returns whether a value is visible ASCII with spaces only between other characters, within the length limit. */
function isFieldValue(value: string): boolean {
  // By default, no server accepts a longer header.
  return value.length <= 8192 && isAscii(value, 0x20) && value.trim() === value;
}

/**
 * Returns the part of the URL that is signed, or `undefined` for a malformed URL, for one without the host where the
 * host is signed, and for one outside of the base path. Does not normalize it: the signature covers the text that is
 * sent.
 */
function toUrlValue(
  kind: Part['kind'],
  { url, basePath = '' }: SignableRequest,
): string | undefined {
  if (typeof url !== 'string' || !isAscii(url, 0x21) || url.includes('#')) return undefined;
  const origin = url.startsWith('/') ? '' : /^https?:\/\/[^/?]+/i.exec(url)?.[0];
  const signsHost = kind === '$url' || kind === '$url.host+path';
  if (origin === undefined || (signsHost && !origin)) return undefined;
  if (kind === '$url') return url;
  const rest = url.slice(origin.length);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  const path = kind === '$url.path+query' ? target : target.replace(/\?.*/, '');
  if (signsHost) return origin.slice(origin.indexOf('//') + 2).toLowerCase() + path;
  if (kind !== '$url.path-base') return path;
  const base = basePath.replace(/\/$/, '');
  return `${path}/`.startsWith(`${base}/`) ? path.slice(base.length) || '/' : undefined;
}

/** Returns whether all character codes are from `first` to 0x7E. A loop is faster than a regular expression here. */
function isAscii(text: string, first: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < first || code > 0x7e) return false;
  }
  return true;
}
