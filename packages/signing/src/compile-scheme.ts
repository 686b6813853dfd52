import { assertSignatureScheme } from './assert-scheme.ts';
import { compileFraming } from './framing.ts';
import { toParts } from './part.ts';
import type { SignatureScheme } from './scheme.ts';
import { compilePart } from './signed-input.ts';
import type { CompiledScheme } from './compiled-scheme.ts';
import { compileSignatureValue } from './signature-value.ts';
import { SigningError } from './signing-error.ts';

/**
 * Validates and prepares a signature scheme.
 * @throws SigningError `invalid-scheme`, or `ambiguous-framing` where the signed parts can never be separated
 */
export function compileScheme(scheme: SignatureScheme): CompiledScheme {
  assertSignatureScheme(scheme);
  const parts = toParts(scheme);
  const value = compileSignatureValue(scheme);
  const { timestamp } = scheme;
  const signsTimestamp = parts.some(({ kind }) => kind === 'timestamp');
  if (signsTimestamp && timestamp === undefined)
    throw invalid('It signs $timestamp but has no member `timestamp`.');
  if (timestamp !== undefined && !signsTimestamp)
    throw invalid('Its timestamp is not signed, so a sender could change it.');
  if (timestamp !== undefined && (timestamp.header === undefined) !== value.hasTimestamp)
    throw invalid('Its timestamp must be sent either in a header of its own or in `value`.');
  if (value.hasTimestamp && timestamp === undefined)
    throw invalid('It writes {timestamp} in `value` but has no member `timestamp`.');
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
  return new SigningError('invalid-scheme', `The signature scheme is invalid. ${fault}`);
}
