import type { Piece } from './hmac.ts';
import type { Refusal } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { InputProblem } from './signing-error.ts';
import type { Framing } from './framing.ts';
import type { Part } from './part.ts';
import type { SignatureScheme } from './scheme.ts';
import type { SignatureValue } from './signature-value.ts';

export type InputRefusal = Refusal<InputProblem>;

/** Adds the value of one part to the pieces, or returns why it cannot be signed. */
export type AddPiece = (
  pieces: Piece[],
  request: SignableRequest,
  timestamp: string | undefined,
) => InputRefusal | undefined;

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
