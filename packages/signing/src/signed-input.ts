import type { CompiledScheme } from './compile-scheme.ts';
import type { Piece } from './hmac.ts';
import type { Part } from './part.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { InputProblem } from './signing-error.ts';

type InputRefusal = Refusal<InputProblem>;

/** Characters of a signed header that are read; no server lets longer ones through by default. */
const maximumHeader = 8192;

const visible = /^[\x21-\x7e]+$/;
const absoluteUrl = /^https?:\/\/[^/?#]+/i;

/**
 * The bytes that are signed, in pieces and uncopied, or what keeps the request from being signed. `timestamp` is
 * the text that travels; it is needed where the scheme signs one.
 */
export function toSignedInput(
  { parts, framing }: Pick<CompiledScheme, 'parts' | 'framing'>,
  request: SignableRequest,
  timestamp: string | undefined,
): readonly Piece[] | InputRefusal {
  if (!(request.body instanceof Uint8Array)) return refuse('body-not-bytes');
  const values: Piece[] = [];
  const pieces: Piece[] = [];
  // Texts that follow one another become one piece: each piece costs a call.
  let text = '';
  for (const part of parts) {
    const value = part.kind === 'body' ? request.body : toValue(part, request, timestamp);
    if (typeof value === 'string') {
      text += value;
    } else if (value instanceof Uint8Array) {
      if (text !== '') pieces.push(text);
      pieces.push(value);
      text = '';
    } else {
      return value;
    }
    if (framing !== undefined) values.push(value);
  }
  if (text !== '') pieces.push(text);
  return framing === undefined || framing(values) ? pieces : refuse('ambiguous-framing');
}

/** Whether there is an input, and no reason why there is none. */
export function isPieces(input: readonly Piece[] | InputRefusal): input is readonly Piece[] {
  return Array.isArray(input);
}

/** The one value of a header, or why there is none to be had. */
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

function toValue(
  part: Exclude<Part, { kind: 'body' }>,
  request: SignableRequest,
  timestamp: string | undefined,
): Piece | InputRefusal {
  switch (part.kind) {
    case 'text':
      return part.bytes;
    case 'timestamp':
      return timestamp ?? refuse('malformed-timestamp');
    case 'method':
      return /^[A-Z]{1,32}$/.test(request.method) ? request.method : refuse('malformed-method');
    case 'header': {
      const value = readHeader(request, part.name);
      if (typeof value !== 'string') return value;
      return value.length <= maximumHeader && isFieldValue(value)
        ? value
        : refuse('malformed-header');
    }
    default:
      return toUrlValue(part.kind, request.url) ?? refuse('malformed-url');
  }
}

/** Cuts the text and normalises nothing: what is signed is what travels. */
function toUrlValue(kind: 'url' | 'path' | 'path-and-query', url: string): string | undefined {
  if (typeof url !== 'string' || !visible.test(url) || url.includes('#')) return undefined;
  const origin = url.startsWith('/') ? '' : absoluteUrl.exec(url)?.[0];
  if (origin === undefined) return undefined;
  if (kind === 'url') return origin === '' ? undefined : url;
  const rest = url.slice(origin.length);
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  const query = target.indexOf('?');
  return kind === 'path' && query !== -1 ? target.slice(0, query) : target;
}

/** Visible ASCII with spaces at most inside; written out because it is on the path of every request. */
function isFieldValue(value: string): boolean {
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return !value.startsWith(' ') && !value.endsWith(' ');
}
