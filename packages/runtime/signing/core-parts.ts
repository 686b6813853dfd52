import type { SigningError, SigningErrorCode } from './signing-error.ts';
import type { TimestampPattern } from './scheme.ts';

/**
 * Returns whether the signed bytes determine the values of a request, one for each part. No two different lists of
 * values that pass the check give the same bytes when concatenated. There are two exceptions: a header directly before a
 * timestamp in digits, and the host after a body that is not JSON. The verifier must know the value of that header, and
 * its own host.
 */
export type Framing = (values: readonly (string | Uint8Array)[]) => boolean;

/** What an entry of this package gives to the core, so that bundles contain only what they need. */
export interface CoreParts {
  /**
   * Creates the error for a code.
   * @param subject the option, the signed parts or the encoding of the key that the error is about
   */
  readonly toError: (code: SigningErrorCode, subject?: string) => SigningError;
  /** Absent where no scheme has timestamps in a pattern. */
  readonly patterns?: TimestampPatterns | undefined;
}

/** Writes, reads and separates timestamps in a pattern. */
export interface TimestampPatterns {
  /** Writes a time, given in milliseconds since 1970. */
  readonly write: (milliseconds: number, format: TimestampPattern) => string;
  /** Returns milliseconds since 1970, or `NaN` for text that is not exactly in the pattern. */
  readonly parse: (text: string, format: TimestampPattern) => number;
  /** Returns the rule that text before a timestamp must not contain a timestamp itself. */
  readonly framing: (isHeader: boolean, index: number, format: TimestampPattern) => Framing;
}
