import type { SignatureScheme } from '@countersign/runtime/signing';
import type { ReceivedCall } from './received-call.ts';
import type { SignedPartValue } from './signed-parts.ts';

/** What a candidate varies. */
export type DeviationSubject =
  | 'key'
  | 'algorithm'
  | 'body'
  | 'path'
  | 'method'
  | 'timestamp'
  | 'part'
  | 'order'
  | 'separator'
  | 'encoding'
  | 'value';

/** A call that is to be explained. */
export interface SignedCall {
  readonly scheme: SignatureScheme;
  /** The text of the key, as the operator issued it. */
  readonly key: string;
  readonly call: ReceivedCall;
  readonly parts: readonly SignedPartValue[];
  /** The time of the timestamp in milliseconds, if it is readable. */
  readonly instant: number | undefined;
  readonly timestamp: string | undefined;
}

/** A single deviation with what it changes. */
export interface DeviationCandidate {
  readonly subject: DeviationSubject;
  readonly code: string;
  /** Completes "matches if …". */
  readonly condition: string;
  readonly fix: string;
  readonly key?: Buffer;
  readonly algorithm?: string;
  readonly pieces?: readonly Buffer[];
  /** How the digest is written. Default: in the encoding of the scheme. */
  readonly write?: (digest: Buffer) => string;
}
