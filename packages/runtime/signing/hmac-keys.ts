import type { CoreParts } from './core-parts.ts';
import { decodeBytes } from './encoding.ts';
import { createHmacMatcher, createHmacSigner, type MaybePromise } from './hmac.ts';
import { toKeyBytes } from './key.ts';
import { refuse } from './refusal.ts';
import type { SignatureScheme } from './scheme.ts';
import type { SignedInput } from './signed-input.ts';
import { createSignerOf, type Signer, type SignerOptions } from './signer.ts';
import {
  createVerifierOf,
  type Verification,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts';

/**
 * Creates a signer for an HMAC scheme that has been checked.
 * @throws the error for a key that is not valid
 */
export function createHmacSignerOf(
  scheme: SignatureScheme,
  options: SignerOptions,
  core: CoreParts,
): Signer {
  const bytes = toKeyBytes(options.key, scheme.key, core);
  return createSignerOf(scheme, options, core, createHmacSigner(scheme, bytes));
}

/**
 * Creates a verifier for an HMAC scheme that has been checked.
 * @throws the error for a key or tolerance that is not valid
 */
export function createHmacVerifierOf(
  scheme: SignatureScheme,
  options: VerifierOptions,
  core: CoreParts,
): Verifier {
  const { keys } = options;
  const { algorithm, encoding } = scheme;
  if (!Array.isArray(keys) || keys.length === 0) throw core.toError('missing-key', 'keys');
  const matchers = keys.map((key) => createHmacMatcher(scheme, toKeyBytes(key, scheme.key, core)));
  const digestLength = algorithm === 'hmac-sha1' ? 20 : Number(algorithm.slice(8)) / 8;
  const findKey = (
    key: number,
    input: SignedInput,
    signatures: readonly string[],
    instant: number | undefined,
  ): MaybePromise<Verification> => {
    const matches =
      'reason' in input
        ? input
        : (matchers[key]?.(input, signatures) ?? refuse('signature-mismatch'));
    const next = (isMatch: boolean): MaybePromise<Verification> => {
      if (!isMatch) return findKey(key + 1, input, signatures, instant);
      return instant === undefined ? { ok: true, key } : { ok: true, key, timestamp: instant };
    };
    if (matches instanceof Promise) return matches.then(next);
    if (typeof matches === 'boolean') return next(matches);
    // A matching signature is always well-formed, so that only refused ones are decoded.
    return signatures.some((text) => decodeBytes(text, encoding)?.length === digestLength)
      ? matches
      : refuse('malformed-signature');
  };
  return createVerifierOf(
    scheme,
    options,
    (input, signatures, instant) => findKey(0, input, signatures, instant),
    core,
  );
}
