export { assertSignatureScheme } from './checked.ts';
export { createSigner, createVerifier, parseTimestamp, writeTimestamp } from './checked.ts';
export type { MaybePromise } from './core.ts';
export type { Refusal, VerificationFailure } from './core.ts';
export { fromHeaders, type HeaderLookup, type SignableRequest } from './core.ts';
export type {
  KeyEncoding,
  SignatureAlgorithm,
  SignatureEncoding,
  SignatureScheme,
  SignedExpression,
  SignedPart,
  TimestampFormat,
  TimestampPattern,
} from './core.ts';
export { faultOfSecret, type SecretFault } from '../base/secret-fault.ts';
export type { SignatureHeaders, Signer, SignerOptions } from './core.ts';
export { SigningError, type InputProblem, type SigningErrorCode } from './core.ts';
export type { Authentic, Verification, Verifier, VerifierOptions } from './core.ts';
