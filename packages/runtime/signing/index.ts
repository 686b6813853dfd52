export { assertSignatureScheme } from './assert-scheme.ts';
export { createSigner, createVerifier, parseTimestamp, writeTimestamp } from './checked.ts';
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
  TimestampPattern,
} from './scheme.ts';
export { faultOfSecret, type SecretFault } from '../base/secret-fault.ts';
export type { SignatureHeaders, Signer, SignerOptions } from './signer.ts';
export { SigningError, type InputProblem, type SigningErrorCode } from './signing-error.ts';
export type { Authentic, Verification, Verifier, VerifierOptions } from './verifier.ts';
