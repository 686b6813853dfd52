import { importHmacKey } from '#hmac';
import { isTolerance } from './assert-scheme.ts';
import { compileScheme, type CompiledScheme } from './compile-scheme.ts';
import { decodeBytes } from './encoding.ts';
import type { HmacKey, MaybePromise, Piece } from './hmac.ts';
import { toKeyBytes } from './key.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureAlgorithm, SignatureScheme } from './scheme.ts';
import type { SignatureItems } from './signature-value.ts';
import { isPieces, readHeader, toSignedInput } from './signed-input.ts';
import { SigningError } from './signing-error.ts';
import { parseTimestamp } from './timestamp.ts';

export interface VerifierOptions {
  /** As the scheme encodes them, or their bytes. Several while keys rotate; put the one in use first. */
  readonly keys: readonly (string | Uint8Array)[];
  /** Milliseconds since 1970; the system's clock where it is left out. */
  readonly clock?: () => number;
  /** Seconds, both ways; the scheme's where it is left out. */
  readonly tolerance?: number;
}

/** A request that was made by a holder of the key, as far as the scheme signs it. */
export interface Authentic {
  readonly ok: true;
  /** Which of the keys signed it. */
  readonly key: number;
  /** When it was signed, in milliseconds since 1970; left out where the scheme has no timestamp. */
  readonly timestamp?: number;
}

export type Verification = Authentic | Refusal;

export interface Verifier {
  /**
   * Whether the request is authentic. Throws for nothing that a sender can do. Await the answer: it is there at
   * once where `node:crypto` is. A request that was verified before is not recognised.
   */
  readonly verify: (request: SignableRequest) => MaybePromise<Verification>;
}

const digestLengths: Readonly<Record<SignatureAlgorithm, number>> = {
  'hmac-sha256': 32,
  'hmac-sha1': 20,
  'hmac-sha512': 64,
};

/** Makes a verifier that holds its keys where nothing prints them. Throws a `SigningError` for an unusable scheme or key. */
export function createVerifier(scheme: SignatureScheme, options: VerifierOptions): Verifier {
  const compiled = compileScheme(scheme);
  if (!Array.isArray(options.keys) || options.keys.length === 0)
    throw new SigningError('missing-key', 'There is no key to verify with.');
  const keys = options.keys.map((key) => importHmacKey(scheme, toKeyBytes(key, scheme.key)));
  const clock = options.clock ?? Date.now;
  const tolerance = options.tolerance ?? scheme.timestamp?.tolerance ?? 1;
  if (!isTolerance(tolerance))
    throw new SigningError('invalid-option', 'The tolerance is not a number of seconds.');
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

/** The timestamp's text; `undefined` where the scheme has none. */
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
  // A clock that tells no time lets nothing through.
  return age <= 1000 * tolerance ? instant : refuse('timestamp-too-old');
}

/**
 * The refusal, or that none of the signatures is a whole digest, canonically written. Asked only of what is refused:
 * nothing else could be the digest that a key makes.
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
