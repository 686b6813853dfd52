import { checkScheme } from './check-scheme.ts';
import type { CoreParts } from './core-parts.ts';
import { explain } from './explain.ts';
import { createHmacSignerOf, createHmacVerifierOf } from './hmac-keys.ts';
import type { SignatureScheme, TimestampFormat } from './scheme.ts';
import { readHeader } from './signed-input.ts';
import type { Signer, SignerOptions } from './signer.ts';
import * as core from './timestamp.ts';
import { timestampPatterns } from './timestamp-pattern.ts';
import type { Verifier, VerifierOptions } from './verifier.ts';

/** The main entry: every scheme, and errors with texts. */
export const checkedCore: CoreParts = { toError: explain, patterns: timestampPatterns };

/**
 * Creates a signer. It does not expose its key when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid
 */
export function createSigner(scheme: SignatureScheme, options: SignerOptions): Signer {
  checkScheme(scheme);
  const signer = createHmacSignerOf(scheme, options, checkedCore);
  const { header, format } = scheme.timestamp ?? {};
  if (header === undefined || format === undefined) return signer;
  const timestampHeader = header.toLowerCase();
  return Object.freeze<Signer>({
    sign(request) {
      const present = readHeader(request, timestampHeader);
      const isMalformed =
        typeof present === 'string' &&
        present !== '' &&
        Number.isNaN(parseTimestamp(present, format));
      if (isMalformed) throw explain('malformed-timestamp');
      return signer.sign(request);
    },
  });
}

/**
 * Creates a verifier. It does not expose its keys when it is printed or serialized.
 * @throws SigningError for a scheme, key or tolerance that is not valid
 */
export function createVerifier(scheme: SignatureScheme, options: VerifierOptions): Verifier {
  checkScheme(scheme);
  return createHmacVerifierOf(scheme, options, checkedCore);
}

/** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the format. */
export function parseTimestamp(text: string, format: TimestampFormat): number {
  return core.parseTimestamp(text, format, timestampPatterns);
}

/** Writes a time, given in milliseconds since 1970. Rounds `unix-seconds` down. */
export function writeTimestamp(milliseconds: number, format: TimestampFormat): string {
  return core.writeTimestamp(milliseconds, format, timestampPatterns);
}
