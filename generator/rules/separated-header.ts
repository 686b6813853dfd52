import type { writeTimestamp } from '@countersign/runtime/signing';
import type { SettledSignature } from '../contract/signature-scheme.ts';
import { quote } from '../diagnostics/quote.ts';

type Scheme = SettledSignature['scheme'];

/**
 * Returns why a value of the header of a signature would not be split where it was joined: what stands between two
 * separators can contain the separator. `undefined` for a header that can be read.
 */
export function separatorFault(scheme: Scheme, write: typeof writeTimestamp): string | undefined {
  const { separator, timestamp, value } = scheme;
  if (separator === undefined) return undefined;
  if (canContain(scheme, separator))
    return `a signature in ${scheme.encoding} can contain the separator ${quote(separator)}, so that receivers refuse it.`;
  if (timestamp === undefined || !value.includes('{timestamp}')) return undefined;
  const written = times.map((time) => write(time, timestamp.format));
  const found = written.find((text) => text.includes(separator));
  return found === undefined
    ? undefined
    : `a timestamp such as ${quote(found)} contains the separator ${quote(separator)}, so that receivers refuse the header.`;
}

/** Times in all months, on all days of the week, with different digits. */
const times: readonly number[] = Array.from(
  { length: 500 },
  (_, index) => Date.UTC(2024, 0, 1) + index * 223_456_789,
);

function canContain({ encoding, ...scheme }: Scheme, separator: string): boolean {
  if (encoding === 'hex') return /^[\da-f]+$/iu.test(separator);
  if (encoding === 'base64url') return /^[\w-]+$/u.test(separator);
  const { padding } = /^[A-Za-z\d+/]*(?<padding>=*)$/u.exec(separator)?.groups ?? {};
  return padding !== undefined && padding.length <= maxPadding(scheme);
}

/** Returns the number of characters that base64 adds at the end of a signature. Where its length differs, the maximum. */
function maxPadding(scheme: Omit<Scheme, 'encoding'>): number {
  const length = lengths.get(scheme.algorithm);
  return length === undefined || ('format' in scheme && scheme.format === 'der')
    ? 2
    : (3 - (length % 3)) % 3;
}

/** The lengths of signatures in bytes, where they do not depend on the key. */
const lengths: ReadonlyMap<Scheme['algorithm'], number> = new Map([
  ['hmac-sha1', 20],
  ['hmac-sha256', 32],
  ['hmac-sha512', 64],
  ['ed25519', 64],
  ['ecdsa-p256-sha256', 64],
]);
