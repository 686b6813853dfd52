export { assertSignatureScheme } from './assert-scheme.ts';
export type { MaybePromise } from './hmac.ts';
export type { Refusal, VerificationFailure } from './refusal.ts';
export { fromHeaders, type HeaderLookup, type SignableRequest } from './request.ts';
export type {
  KeyEncoding,
  SignatureAlgorithm,
  SignatureEncoding,
  SignatureScheme,
  SignedExpression,
  SignedPart,
  TimestampFormat,
} from './scheme.ts';
export { createSigner, type SignatureHeaders, type Signer, type SignerOptions } from './signer.ts';
export { SigningError, type InputProblem, type SigningErrorCode } from './signing-error.ts';
export {
  parseTimestampPattern,
  type TimestampPattern,
  writeTimestampPattern,
} from './timestamp-pattern.ts';
export {
  createVerifier,
  type Authentic,
  type Verification,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts';
