import { isFieldValue, toInput } from './compact-input.ts';
import { readKey } from './compact-key.ts';
import { parseTimestamp } from './compact-timestamp.ts';
import { readValue } from './compact-value.ts';
import { decodeBytes } from './encoding.ts';
import { headerPrefix } from './part.ts';
import { refuse, type Refusal, type VerificationFailure } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureScheme } from './scheme.ts';
import type { Verifier, VerifierOptions } from './verifier.ts';

/**
 * Creates a verifier with the same results and reasons as `createVerifier`, based on WebCrypto and optimized for size.
 * Does not validate the scheme, which a generator must have checked.
 * @throws TypeError where there is no key, or a key is empty or not in the scheme's encoding
 * @throws TypeError where the tolerance is not a finite number above 0
 */
export function createCompactVerifier(
  scheme: SignatureScheme,
  { keys, clock = () => Date.now(), tolerance = scheme.timestamp?.tolerance ?? 1 }: VerifierOptions,
): Verifier {
  if (!keys?.length || !(Number.isFinite(tolerance) && tolerance > 0))
    throw new TypeError('The verifier has no key, or its tolerance is not above 0.');
  const { algorithm, encoding, header, timestamp } = scheme;
  const toKeys = keys.map((key) => readKey(scheme, key));
  const length = algorithm === 'hmac-sha1' ? 20 : Number(algorithm.slice(8)) / 8;
  return {
    async verify(request) {
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
        instant = parseTimestamp(stamp, timestamp.format);
        if (Number.isNaN(instant)) return refuse('malformed-timestamp');
        const age = clock() - instant;
        if (age < -1000 * tolerance) return refuse('timestamp-too-new');
        // Refuses every request where the clock returns `NaN`.
        if (!(age <= 1000 * tolerance)) return refuse('timestamp-too-old');
      }
      const digests = carried.signature
        .slice(0, 8)
        .flatMap((text) => decodeBytes(text, encoding) ?? [])
        .filter((digest) => digest.length === length);
      if (digests.length === 0) return refuse('malformed-signature');
      const reason = faultOf(scheme, request);
      if (reason) return refuse(reason);
      const input = toInput(scheme, request, stamp);
      if (!input) return refuse('ambiguous-framing');
      for (const [key, toKey] of toKeys.entries())
        for (const digest of digests)
          // WebCrypto compares in constant time.
          if (await crypto.subtle.verify('HMAC', await toKey(), digest, await input))
            return { ok: true, key, ...(timestamp && { timestamp: instant as number }) };
      return refuse('signature-mismatch');
    },
  };
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
    if (kind.startsWith(headerPrefix)) {
      const value = readHeader(request, kind.slice(headerPrefix.length), 'missing-header');
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
