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
 * Creates a signer for a scheme that has been checked, for example by a generator. Its errors have codes in place of texts.
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
 * Creates a verifier for a scheme that has been checked, for example by a generator. Its errors have codes in place of texts.
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

function toError(code: SigningErrorCode, subject?: string): SigningError {
  return new SigningError(code, subject === undefined ? code : `${code} (${subject})`, subject);
}
