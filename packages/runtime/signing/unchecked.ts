import type { TimestampPatterns } from './core-parts.ts';
import { createHmacSignerOf, createHmacVerifierOf } from './hmac-keys.ts';
import type { SignatureScheme } from './scheme.ts';
import type { Signer, SignerOptions } from './signer.ts';
import { SigningError, type SigningErrorCode } from './signing-error.ts';
import type { Verifier, VerifierOptions } from './verifier.ts';

export type { TimestampPatterns } from './core-parts.ts';
export { writeTimestamp } from './timestamp.ts';
export { timestampPatterns } from './timestamp-pattern.ts';

/**
 * Creates a signer for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key that is not valid
 */
export function createSigner(
  scheme: SignatureScheme,
  options: SignerOptions,
  patterns?: TimestampPatterns,
): Signer {
  return createHmacSignerOf(scheme, options, { toError, patterns });
}

/**
 * Creates a verifier for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key or tolerance that is not valid
 */
export function createVerifier(
  scheme: SignatureScheme,
  options: VerifierOptions,
  patterns?: TimestampPatterns,
): Verifier {
  return createHmacVerifierOf(scheme, options, { toError, patterns });
}

/** Only the mistakes of a configuration have texts, so that bundles stay small. */
const texts: { readonly [code in SigningErrorCode]?: string } = {
  'missing-key': 'The key is missing or empty',
  'malformed-key': 'The key is not in its encoding, or has white space around it',
  'invalid-option': 'An option is out of range',
};

function toError(code: SigningErrorCode, subject?: string): SigningError {
  const fault = subject === undefined ? code : `${code}: ${subject}`;
  return new SigningError(
    code,
    `${texts[code] ?? 'The request cannot be signed'} (${fault})`,
    subject,
  );
}
