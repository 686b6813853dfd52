import type { CoreParts } from './core-parts.ts';
import type { MaybePromise } from './hmac.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureForm } from './scheme.ts';
import { compileValueReader } from './signature-value.ts';
import { compileSignedInput, readHeader, type SignedInput } from './signed-input.ts';
import { parseTimestamp } from './timestamp.ts';

/** The options of a verifier. */
export interface VerifierOptions {
  /**
   * The accepted keys, as text in the scheme's encoding or as bytes; at least one. Give several during a key rotation,
   * with the current one first.
   */
  readonly keys: readonly (string | Uint8Array)[];
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /**
   * The maximum difference in milliseconds between the timestamp and the clock, in both directions. Default: the
   * tolerance of the scheme, which is in seconds.
   */
  readonly toleranceMs?: number;
}

/** The result for a request that a holder of the key made. It covers only the parts that the scheme signs. */
export interface Authentic {
  readonly ok: true;
  /** The index in `keys` of the key that signed it. */
  readonly key: number;
  /** The id of the key, where the scheme states how a request names it. */
  readonly keyId?: string;
  /** The time of signing in milliseconds since 1970; absent where the scheme has no timestamp. */
  readonly timestamp?: number;
}

/** The result of a verification. */
export type Verification = Authentic | Refusal;

/** Verifies requests with one scheme and one or more keys. */
export interface Verifier {
  /**
   * Verifies a request. No content of a request makes it throw. Returns a promise where WebCrypto is used, and the
   * result itself where `node:crypto` is. Does not detect replays: a request verified before is accepted again.
   */
  readonly verify: (request: SignableRequest) => MaybePromise<Verification>;
}

/**
 * Verifies the signed bytes with the keys of an entry.
 * @param pieces the signed bytes; or why there are none, which it returns as {@link unlessMalformed} does
 * @param instant the time of signing; `undefined` where the scheme has no timestamp
 */
export type FindKey = (
  pieces: SignedInput,
  signatures: readonly string[],
  instant: number | undefined,
  request: SignableRequest,
) => MaybePromise<Verification>;

/**
 * Creates a verifier for a scheme that has been checked. It does not expose its keys when it is printed or serialized.
 * @param findKey verifies with the keys
 * @param core what the entry gives
 * @throws the error for a tolerance that is not valid
 */
export function createVerifierOf(
  scheme: SignatureForm,
  {
    clock = () => Date.now(),
    toleranceMs = 1000 * (scheme.timestamp?.tolerance ?? 1),
  }: Omit<VerifierOptions, 'keys'>,
  findKey: FindKey,
  core: CoreParts,
): Verifier {
  const toInput = compileSignedInput(scheme, core);
  const read = compileValueReader(scheme);
  const header = scheme.header.toLowerCase();
  if (!(Number.isFinite(toleranceMs) && toleranceMs > 0))
    throw core.toError('invalid-option', 'toleranceMs');
  const { timestamp } = scheme;
  const timestampHeader = timestamp?.header?.toLowerCase();

  return Object.freeze<Verifier>({
    verify(request) {
      const value = readHeader(request, header, 'missing-signature');
      if (typeof value === 'object') return value;
      const items = read(value);
      if (items === undefined) return refuse('malformed-signature');
      let stamp: string | Refusal = '';
      let instant: number | undefined;
      if (timestamp) {
        stamp =
          timestampHeader === undefined
            ? (items.timestamp ?? refuse('missing-timestamp'))
            : readHeader(request, timestampHeader, 'missing-timestamp');
        if (typeof stamp === 'object') return stamp;
        instant = parseTimestamp(stamp, timestamp.format, core.patterns);
        if (Number.isNaN(instant)) return refuse('malformed-timestamp');
        const age = clock() - instant;
        if (age < -toleranceMs) return refuse('timestamp-too-new');
        // Refuses every request where the clock returns `NaN`.
        if (!(age <= toleranceMs)) return refuse('timestamp-too-old');
      }
      return findKey(toInput(request, stamp), items.signatures, instant, request);
    },
  });
}
