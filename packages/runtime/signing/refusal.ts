import type { InputProblem } from './signing-error.ts';

/** Why a request is not authentic. Log it on the receiving side, and never send it to the sender. */
export type VerificationFailure =
  | InputProblem
  /** The signature header is missing or empty. */
  | 'missing-signature'
  /** The header's value contains no complete signature in the scheme's format. */
  | 'malformed-signature'
  /** The timestamp is missing or empty. */
  | 'missing-timestamp'
  /** The timestamp is behind the clock by more than the tolerance. */
  | 'timestamp-too-old'
  /** The timestamp is ahead of the clock by more than the tolerance. */
  | 'timestamp-too-new'
  /** The key that the request names is none of the verifier's. */
  | 'unknown-key'
  /** None of the signatures was made with one of the keys over this request. */
  | 'signature-mismatch';

/** The result for a request that is not authentic. */
export interface Refusal<Reason extends string = VerificationFailure> {
  readonly ok: false;
  readonly reason: Reason;
}

/** Creates a refusal with a reason. */
export function refuse<Reason extends string>(reason: Reason): Refusal<Reason> {
  return { ok: false, reason };
}
