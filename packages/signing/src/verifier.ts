import { importHmacKey } from '#hmac';
import { isTolerance } from './assert-scheme.ts';
import { compileScheme } from './compile-scheme.ts';
import type { CompiledScheme } from './compiled-scheme.ts';
import { decodeBytes } from './encoding.ts';
import type { HmacKey, MaybePromise, Piece } from './hmac.ts';
import { toKeyBytes } from './key.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureAlgorithm, SignatureScheme } from './scheme.ts';
import type { SignatureItems } from './signature-value.ts';
import { isPieces, readHeader, toSignedInput } from './signed-input.ts';
import { SigningError } from './signing-error.ts';
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
   * The maximum difference in seconds between the timestamp and the clock, in both directions. Default: the scheme's
   * tolerance.
   */
  readonly tolerance?: number;
}

/** The result for a request that a holder of the key made. It covers only the parts that the scheme signs. */
export interface Authentic {
  readonly ok: true;
  /** The index in `keys` of the key that signed it. */
  readonly key: number;
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

const digestLengths: Readonly<Record<SignatureAlgorithm, number>> = {
  'hmac-sha256': 32,
  'hmac-sha1': 20,
  'hmac-sha512': 64,
};

/**
 * Creates a verifier. It does not expose its keys when it is printed or serialized.
 * @throws SigningError for a scheme, key or tolerance that is not valid
 */
export function createVerifier(scheme: SignatureScheme, options: VerifierOptions): Verifier {
  const compiled = compileScheme(scheme);
  if (!Array.isArray(options.keys) || options.keys.length === 0)
    throw new SigningError('missing-key', 'The verifier has no key. Pass at least one in `keys`.');
  const keys = options.keys.map((key) => importHmacKey(scheme, toKeyBytes(key, scheme.key)));
  const clock = options.clock ?? (() => Date.now());
  const tolerance = options.tolerance ?? scheme.timestamp?.tolerance ?? 1;
  if (!isTolerance(tolerance))
    throw new SigningError(
      'invalid-option',
      'The option `tolerance` must be a number of seconds above 0.',
    );
  return Object.freeze<Verifier>({
    verify(request) {
      const items = readItems(compiled, request);
      if ('reason' in items) return items;
      const stamp = readTimestamp(compiled, request, items);
      if (typeof stamp === 'object') return stamp;
      const instant =
        stamp === undefined ? undefined : checkTimestamp(stamp, scheme, clock, tolerance);
      if (typeof instant === 'object') return instant;
      const { signatures } = items;
      const pieces = toSignedInput(compiled, request, stamp);
      if (!isPieces(pieces)) return unlessMalformed(pieces, signatures, scheme);
      return findKey(keys, 0, pieces, signatures, scheme, instant);
    },
  });
}

function readItems(
  { signatureHeader, value }: CompiledScheme,
  request: SignableRequest,
): SignatureItems | Refusal {
  const text = readHeader(request, signatureHeader);
  if (typeof text === 'object')
    return text.reason === 'missing-header' ? refuse('missing-signature') : text;
  return value.read(text) ?? refuse('malformed-signature');
}

/** Returns the text of the timestamp, `undefined` where the scheme has none, or a refusal. */
function readTimestamp(
  { scheme, timestampHeader }: CompiledScheme,
  request: SignableRequest,
  { timestamp }: SignatureItems,
): string | undefined | Refusal {
  if (scheme.timestamp === undefined) return undefined;
  if (timestampHeader === undefined) return timestamp ?? refuse('missing-timestamp');
  const text = readHeader(request, timestampHeader);
  if (typeof text === 'string') return text;
  return text.reason === 'missing-header' ? refuse('missing-timestamp') : text;
}

function checkTimestamp(
  text: string,
  { timestamp }: SignatureScheme,
  clock: () => number,
  tolerance: number,
): number | undefined | Refusal {
  if (timestamp === undefined) return undefined;
  const instant = parseTimestamp(text, timestamp.format);
  if (Number.isNaN(instant)) return refuse('malformed-timestamp');
  const age = clock() - instant;
  if (age < -1000 * tolerance) return refuse('timestamp-too-new');
  // Refuses every request where the clock returns `NaN`.
  return age <= 1000 * tolerance ? instant : refuse('timestamp-too-old');
}

/**
 * Returns the refusal, or `malformed-signature` where none of the signatures has the length and encoding of a digest.
 * Called only for refused requests, because a matching signature is always well-formed.
 */
function unlessMalformed(
  refusal: Refusal,
  signatures: readonly string[],
  { algorithm, encoding }: SignatureScheme,
): Refusal {
  const length = digestLengths[algorithm];
  return signatures.some((signature) => decodeBytes(signature, encoding)?.length === length)
    ? refusal
    : refuse('malformed-signature');
}

function findKey(
  keys: readonly HmacKey[],
  first: number,
  pieces: readonly Piece[],
  signatures: readonly string[],
  scheme: SignatureScheme,
  timestamp: number | undefined,
): MaybePromise<Verification> {
  for (let index = first; index < keys.length; index++) {
    const matches = keys[index]?.matches(pieces, signatures);
    if (matches === true) return toAuthentic(index, timestamp);
    if (matches instanceof Promise)
      return matches.then((found) =>
        found
          ? toAuthentic(index, timestamp)
          : findKey(keys, index + 1, pieces, signatures, scheme, timestamp),
      );
  }
  return unlessMalformed(refuse('signature-mismatch'), signatures, scheme);
}

function toAuthentic(key: number, timestamp: number | undefined): Authentic {
  return timestamp === undefined ? { ok: true, key } : { ok: true, key, timestamp };
}
