import { isUtf8 } from 'node:buffer';
import type { RecordedBody } from './entry.ts';
import { type Redactor, redacted } from './sending/redact.ts';

/** The maximum number of bytes of a body that an entry keeps. */
export const maximumRecordedBody: number = 256 * 1024;

/** The maximum number of violations that an entry keeps of one value. */
export const maxViolations = 100;

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
]);

/** Returns a body as an entry keeps it. */
export function recordBody(bytes: Uint8Array, redactor: Pick<Redactor, 'redact'>): RecordedBody {
  const { byteLength: size } = bytes;
  if (size === 0) return { encoding: 'utf-8', text: '', size };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, size);
  const isText = isUtf8(buffer);
  const encoding = isText ? 'utf-8' : 'latin1';
  // Redacts before it cuts: a part of a secret at the end would not be recognized.
  const text = redactor.redact(buffer.toString(encoding));
  if (isText && text.length * 3 <= maximumRecordedBody) return { encoding: 'utf-8', text, size };
  const kept = Buffer.from(text, encoding).subarray(0, maximumRecordedBody);
  return isText
    ? // A character that was cut off becomes U+FFFD.
      { encoding: 'utf-8', text: kept.toString().replace(/\u{FFFD}$/u, ''), size }
    : { encoding: 'base64', text: kept.toString('base64'), size };
}

/**
 * Returns headers as an entry keeps them. Values of headers that carry credentials are replaced even if they are not
 * known, except for the name of the authentication scheme.
 * @param rawHeaders names and values in turn, as `node:http` has them
 * @param secretNames further headers that carry credentials, in lower case
 */
export function recordHeaders(
  rawHeaders: readonly string[],
  redactor: Pick<Redactor, 'redact'>,
  secretNames?: ReadonlySet<string>,
): readonly (readonly [name: string, value: string])[] {
  const headers: (readonly [string, string])[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const lower = name.toLowerCase();
    const isSecret = credentialHeaders.has(lower) || secretNames?.has(lower) === true;
    headers.push([name, isSecret ? hideCredential(value) : redactor.redact(value)]);
  }
  return headers;
}

function hideCredential(value: string): string {
  const [scheme = ''] = /^(?:basic|bearer|digest|token) /iu.exec(value) ?? [];
  return value === '' ? '' : scheme + redacted;
}
