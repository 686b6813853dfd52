import { assertSignatureScheme } from './assert-scheme.ts';
import { compileFraming, type Framing } from './framing.ts';
import { toParts, type Part } from './part.ts';
import type { SignatureScheme } from './scheme.ts';
import { compilePart, type AddPiece } from './signed-input.ts';
import { compileSignatureValue, type SignatureValue } from './signature-value.ts';
import { SigningError } from './signing-error.ts';

/** A validated scheme with everything computed that does not depend on the request. */
export interface CompiledScheme {
  readonly scheme: SignatureScheme;
  readonly parts: readonly Part[];
  /** One function for each part, which adds the part's value to the signed pieces. */
  readonly adders: readonly AddPiece[];
  readonly value: SignatureValue;
  /** `undefined` where two requests can never have the same signed bytes. */
  readonly framing: Framing | undefined;
  /** In lower case, for header lookups. */
  readonly signatureHeader: string;
  /** In lower case; `undefined` where the signature header contains the timestamp, or the scheme has none. */
  readonly timestampHeader: string | undefined;
}

/**
 * Validates and prepares a signature scheme.
 * @throws SigningError `invalid-scheme`, or `ambiguous-framing` where the signed parts can never be told apart
 */
export function compileScheme(scheme: SignatureScheme): CompiledScheme {
  assertSignatureScheme(scheme);
  const parts = toParts(scheme);
  const value = compileSignatureValue(scheme);
  const { timestamp } = scheme;
  const signsTimestamp = parts.some(({ kind }) => kind === 'timestamp');
  if (signsTimestamp && timestamp === undefined)
    throw invalid('It signs $timestamp but does not say what a timestamp is.');
  if (timestamp !== undefined && !signsTimestamp)
    throw invalid('Its timestamp is not signed, so checking it would prove nothing.');
  if (timestamp !== undefined && (timestamp.header === undefined) !== value.hasTimestamp)
    throw invalid('Its timestamp has to travel either in a header of its own or in `value`.');
  if (value.hasTimestamp && timestamp === undefined)
    throw invalid('It writes {timestamp} but does not say what a timestamp is.');
  return {
    scheme,
    parts,
    adders: parts.map(compilePart),
    value,
    framing: compileFraming(parts, timestamp?.format),
    signatureHeader: scheme.header.toLowerCase(),
    timestampHeader: timestamp?.header?.toLowerCase(),
  };
}

function invalid(fault: string): SigningError {
  return new SigningError('invalid-scheme', `The signature scheme is of no use. ${fault}`);
}
