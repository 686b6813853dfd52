import type { InputProblem } from './signing-error.ts';

/** Why a request is not authentic: for the log of the one who verifies, never for the one who sent it. */
export type VerificationFailure =
  | InputProblem
  /** There is no signature header, or it is empty. */
  | 'missing-signature'
  /** Nothing in the header has the form of a signature of this scheme. */
  | 'malformed-signature'
  | 'missing-timestamp'
  | 'timestamp-too-old'
  | 'timestamp-too-new'
  /** No signature was made with one of the keys over this request. */
  | 'signature-mismatch';

export interface Refusal<Reason extends string = VerificationFailure> {
  readonly ok: false;
  readonly reason: Reason;
}

export function refuse<Reason extends string>(reason: Reason): Refusal<Reason> {
  return { ok: false, reason };
}
