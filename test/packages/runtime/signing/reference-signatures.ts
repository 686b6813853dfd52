import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type Refusal,
  type SignableRequest,
  type SignatureScheme,
  type TimestampFormat,
  type TimestampPattern,
  type Verification,
  type VerificationFailure,
} from '../../../../packages/runtime/signing/index.ts';
import { parseTimestampPattern } from '../../../../packages/runtime/signing/core.ts';

/** Signs as the schemes are documented, written for clarity and independent of the core: the oracle of its tests. */
export function signByReference(
  scheme: SignatureScheme,
  key: string | Uint8Array,
  stamp: string,
  request: SignableRequest,
): string | undefined {
  const stampHeader = scheme.timestamp?.header?.toLowerCase();
  const headers: SignableRequest['headers'] = (name) =>
    name === stampHeader ? [stamp] : request.headers(name);
  const input = toInput(scheme, request, stamp);
  if (input === undefined || faultOf(scheme, { ...request, headers }) !== undefined)
    return undefined;
  return toHmac(scheme, key, input).toString(scheme.encoding);
}

/** Verifies as the schemes are documented: the oracle of the tests of the core. */
export function verifyByReference(
  scheme: SignatureScheme,
  keys: readonly (string | Uint8Array)[],
  now: number,
  request: SignableRequest,
): Verification {
  const { encoding, header, timestamp } = scheme;
  const value = readHeader(request, header, 'missing-signature');
  if (typeof value === 'object') return value;
  const carried = readValue(scheme, value);
  if (!carried) return refuse('malformed-signature');
  let stamp: string | Refusal = '';
  let instant: number | undefined;
  if (timestamp) {
    stamp = timestamp.header
      ? readHeader(request, timestamp.header, 'missing-timestamp')
      : (carried.timestamp[0] ?? refuse('missing-timestamp'));
    if (typeof stamp === 'object') return stamp;
    instant = parseReferenceTimestamp(stamp, timestamp.format);
    if (Number.isNaN(instant)) return refuse('malformed-timestamp');
    const age = now - instant;
    if (age < -1000 * timestamp.tolerance) return refuse('timestamp-too-new');
    if (age > 1000 * timestamp.tolerance) return refuse('timestamp-too-old');
  }
  const length = toHmac(scheme, 'key', Buffer.alloc(0)).length;
  const digests = carried.signature
    .slice(0, 8)
    .map((text) => ({ text, bytes: Buffer.from(text, encoding) }))
    .filter(({ text, bytes }) => {
      const digits = encoding === 'hex' ? text.toLowerCase() : text;
      return bytes.toString(encoding) === digits && bytes.length === length;
    });
  if (digests.length === 0) return refuse('malformed-signature');
  const reason = faultOf(scheme, request);
  if (reason) return refuse(reason);
  const input = toInput(scheme, request, stamp);
  if (!input) return refuse('ambiguous-framing');
  for (const [key, bytes] of keys.entries())
    if (digests.some((digest) => timingSafeEqual(toHmac(scheme, bytes, input), digest.bytes)))
      return { ok: true, key, ...(timestamp && { timestamp: instant as number }) };
  return refuse('signature-mismatch');
}

/** Returns the timestamp that a signer sends: the one in its header, or the time of its clock. */
export function stampByReference(
  { timestamp }: SignatureScheme,
  now: number,
  request: SignableRequest,
  write: (milliseconds: number, format: TimestampFormat) => string,
): string {
  if (timestamp === undefined) return '';
  const [present = ''] = timestamp.header ? request.headers(timestamp.header.toLowerCase()) : [];
  return present || write(now, timestamp.format);
}

function toHmac(
  { algorithm, key: { encoding, prefix = '' } }: SignatureScheme,
  key: string | Uint8Array,
  input: Buffer,
): Buffer {
  const secret = typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  const bytes = typeof secret === 'string' ? Buffer.from(secret, encoding) : secret;
  return createHmac(algorithm.slice('hmac-'.length), bytes).update(input).digest();
}

function refuse(reason: VerificationFailure): Refusal {
  return { ok: false, reason };
}

/** Decodes each byte to one character. All characters that the framing depends on are ASCII. */
const latin1 = new TextDecoder('latin1');

const hostAndPath = '$url.host+path';

/** Returns whether a text is not empty, is visible ASCII, and has spaces only between other characters. */
function isFieldValue(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/**
 * Returns the bytes that are signed. Returns `undefined` where a signed header is missing or malformed, or where
 * another request could have the same bytes.
 */
function toInput(
  { over, timestamp }: SignatureScheme,
  { method, url, basePath = '', body, headers }: SignableRequest,
  stamp: string,
): Buffer | undefined {
  const target = url.replace(/^https?:\/\/[^/?]+\/?/i, '/');
  const [, host = ''] = /^https?:\/\/([^/?]+)/i.exec(url.toLowerCase()) ?? [];
  const path = target.replace(/\?.*/, '');
  const base = basePath.replace(/\/$/, '');
  const values: Readonly<Record<string, string>> = {
    $method: method,
    $url: url,
    '$url.path': path,
    '$url.path-base': path.slice(base.length) || '/',
    '$url.path+query': target,
    [hostAndPath]: `${host}${path}`,
    '$request.body': latin1.decode(body),
    $timestamp: stamp,
  };
  const stampHeader = `$request.header.${timestamp?.header?.toLowerCase()}`;
  const kinds: string[] = [];
  const texts: string[] = [];
  for (const part of over) {
    if (part === hostAndPath && host === '') return undefined;
    if (part === '$url.path-base' && !`${path}/`.startsWith(`${base}/`)) return undefined;
    if (typeof part === 'object' && part.text === '') continue;
    const name = typeof part === 'object' ? '' : part.toLowerCase();
    const kind = name === stampHeader ? '$timestamp' : name;
    const text =
      typeof part === 'object'
        ? part.text
        : (values[kind] ?? headers(kind.slice('$request.header.'.length))[0] ?? '');
    if (kind.startsWith('$request.header.') && !isFieldValue(text)) return undefined;
    kinds.push(kind);
    texts.push(text);
  }
  if (isAmbiguous(kinds, texts, timestamp?.format)) return undefined;
  const pieces = texts.map((text, index) => (kinds[index] === '$request.body' ? body : text));
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

/** Returns whether another request could have the same bytes, because the end of a part cannot be determined. */
function isAmbiguous(
  kinds: readonly string[],
  texts: readonly string[],
  format: TimestampFormat | undefined,
): boolean {
  const isFixed = (kind: string): boolean => kind === '' || kind === '$timestamp';
  const last = kinds.findLastIndex((kind) => !isFixed(kind));
  return kinds.some((kind, index) => {
    if (index >= last || isFixed(kind)) return false;
    const [text = '', nextText = '', ...later] = texts.slice(index);
    const next = kinds[index + 1] ?? '';
    const delimiter = next === '' ? nextText : next.startsWith('$url') ? '/' : '';
    if (kind === '$request.body') {
      // The verifier knows its own host.
      if (next === hostAndPath && !/^[[{]/.test(text)) return false;
      if (/^[[{]/.test(text) && /^[^[\]{}]/.test(delimiter)) {
        const isWhole = /^(?:\{.*\}|\[.*\])[ \n\r\t]*$/s.test(text);
        return !isWhole || /[}\]]/.test(nextText + later.join(''));
      }
      const [first] = latin1.decode(new TextEncoder().encode(delimiter));
      return first === undefined || text.includes(first);
    }
    if (next === hostAndPath) return true;
    if (delimiter !== '') return (text + delimiter).indexOf(delimiter) !== text.length;
    if (next === '$request.body')
      return index + 1 !== last || /[[{]/.test(text) || !/^(?:[[{]|$)/.test(nextText);
    if (next !== '$timestamp') return true;
    if (typeof format === 'object')
      return (
        !(kind.startsWith('$request.header.') && !/[^yMdHmsS]/.test(format.pattern)) &&
        holdsTimestamp(text + nextText, text.length, format)
      );
    if (format?.startsWith('iso')) return /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text);
    // A key in a header can contain these digits by chance. Refusing it would lock out its owner.
    const instant = format === 'unix-seconds' ? /\d{10}\D/ : /\d{13}\D/;
    const isKey = kind.startsWith('$request.header.');
    return (!isKey && instant.test(text)) || /^\d/.test(later.join(''));
  });
}

/** Returns whether a timestamp in a pattern is in a text before a position. */
function holdsTimestamp(text: string, end: number, format: TimestampPattern): boolean {
  const width = format.pattern.replaceAll("'", '').length;
  const [offset = ''] = /x+/.exec(format.pattern) ?? [];
  const length = width + (offset === '' ? 0 : 3);
  return Array.from({ length: end }, (_, start) => text.slice(start, start + length)).some((part) =>
    resembles(part, format.pattern),
  );
}

/** Returns whether a text has digits, letters and signs where a pattern has fields. Its values need not exist. */
function resembles(text: string, pattern: string): boolean {
  const form = pattern.replaceAll(
    /'([^']*)'|MMM|EEE|xxx|xx|[yMdHmsS]+|[^\w]/g,
    (field, quoted: string | undefined) =>
      quoted !== undefined
        ? quoted
        : field === 'MMM' || field === 'EEE'
          ? '[A-Z][a-z]{2}'
          : field === 'xxx'
            ? String.raw`[+-]\d\d:\d\d`
            : field === 'xx'
              ? String.raw`[+-]\d{4}`
              : /\w/.test(field)
                ? `\\d{${field.length}}`
                : `\\${field}`,
  );
  return new RegExp(`^(?:${form})$`).test(text);
}

const dateTime =
  /^(?:19[7-9]|[2-9]\d\d)\d(?:-\d\d){2}T\d\d(?::\d\d){2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseReferenceTimestamp(text: string, format: TimestampFormat): number {
  if (typeof format === 'object') return parseTimestampPattern(text, format);
  if (format === 'unix-seconds')
    return /^[1-9]\d{9}$/.test(text) ? 1000 * Number(text) : Number.NaN;
  if (format === 'unix-milliseconds') return /^[1-9]\d{12}$/.test(text) ? Number(text) : Number.NaN;
  // `Date` turns February 30 into a day of March, and some other invalid dates and times into an invalid `Date`.
  const local = text.slice(0, 19);
  const exists = new Date(`${local}Z`).toJSON()?.startsWith(local);
  return dateTime.test(text) && exists ? Date.parse(text) : Number.NaN;
}

/** The items that the value of the signature header contains, still encoded. */
interface Carried {
  readonly signature: string[];
  readonly timestamp: string[];
}

/**
 * Reads the items of the signature header's value. Recognizes each item by the text around it, in any order. Uses the
 * position of the items where that text is ambiguous. Returns `undefined` for a value of more than 4,096 characters,
 * for two timestamps, or for the wrong number of items where their position decides.
 */
function readValue({ value, separator }: SignatureScheme, header: string): Carried | undefined {
  if (header.length > 4096) return undefined;
  const split = (text: string): readonly string[] =>
    separator === undefined ? [text] : text.split(separator);
  const fits = (text: string, [before = '', , after = '']: readonly string[]): boolean =>
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  const texts = split(header);
  const items = split(value).map((text) => text.split(/\{(signature|timestamp)\}/));
  const byPlace = items.some(([before = '', , after = ''], place) =>
    items.some((other, index) => place !== index && fits(before + after, other)),
  );
  const carried: Carried = { signature: [], timestamp: [] };
  for (const [place, text] of texts.entries())
    for (const [index, item] of items.entries()) {
      const [before = '', name, after = ''] = item;
      if (name && (!byPlace || place === index) && fits(text, item))
        carried[name as keyof Carried].push(text.slice(before.length, text.length - after.length));
    }
  const isWhole = !byPlace || texts.length === items.length;
  return isWhole && carried.timestamp.length < 2 ? carried : undefined;
}

/** Returns the single value of a header, or a refusal where it is missing, empty, repeated or not text. */
function readHeader(
  { headers }: SignableRequest,
  name: string,
  missing: VerificationFailure,
): string | Refusal {
  const values: unknown = headers(name.toLowerCase());
  const [value = '', other] = Array.isArray(values) ? (values as unknown[]) : [];
  if (other !== undefined) return refuse('repeated-header');
  if (value === '') return refuse(missing);
  return typeof value === 'string' ? value : refuse('malformed-header');
}

/** Returns why the request cannot be signed, or `undefined` where it can. */
function faultOf(
  { over }: SignatureScheme,
  request: SignableRequest,
): VerificationFailure | undefined {
  const { method, url, body } = request;
  if (!(body instanceof Uint8Array)) return 'body-not-bytes';
  for (const part of over) {
    const kind = typeof part === 'object' ? '' : part;
    if (kind.startsWith('$request.header.')) {
      const value = readHeader(request, kind.slice('$request.header.'.length), 'missing-header');
      if (typeof value === 'object') return value.reason;
      if (value.length > 8192 || !isFieldValue(value)) return 'malformed-header';
    }
    if (kind === '$method' && !/^[A-Z]{1,32}$/.test(method)) return 'malformed-method';
    const isUrl = /^(?:https?:\/\/[!"$-.0->@-~]|\/)[!"$-~]*$/i.test(url);
    if (
      kind.startsWith('$url') &&
      !(isUrl && (!/^\$url(?:\.host.*)?$/.test(kind) || /^h/i.test(url)))
    )
      return 'malformed-url';
  }
  return undefined;
}
