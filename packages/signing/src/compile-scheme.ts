import { assertSignatureScheme } from './assert-scheme.ts';
import { compileFraming, type Framing } from './framing.ts';
import { toParts, type Part } from './part.ts';
import type { SignatureScheme } from './scheme.ts';
import { compilePart, type AddPiece } from './signed-input.ts';
import { compileSignatureValue, type SignatureValue } from './signature-value.ts';
import { SigningError } from './signing-error.ts';

/** A scheme made ready once, so that a request costs little more than its HMAC. */
export interface CompiledScheme {
  readonly scheme: SignatureScheme;
  readonly parts: readonly Part[];
  /** What reads each of the parts. */
  readonly adders: readonly AddPiece[];
  readonly value: SignatureValue;
  /** Left out where no request can share its signature with another. */
  readonly framing: Framing | undefined;
  /** In lower case, for lookups. */
  readonly signatureHeader: string;
  /** In lower case; left out where the timestamp travels inside the signature's header, or there is none. */
  readonly timestampHeader: string | undefined;
}

/** Throws `invalid-scheme`, or `ambiguous-framing` where no request could be told from every other. */
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
