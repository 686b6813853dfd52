import { assertKeyPairScheme } from './assert-scheme.ts';
import { checkForm } from './check-scheme.ts';
import { checkedCore, parseTimestamp } from './checked.ts';
import { toDerSignature, toRawSignature } from './der.ts';
import { decodeBytes, encodeBytes } from './encoding.ts';
import { explain } from './explain.ts';
import type { MaybePromise, Piece } from './hmac.ts';
import { checkKeyId, compileKeyIdReader, isKeyId, namesKeys, withKeyId } from './key-id.ts';
import { createKeyPairMatcher, createKeyPairSigner } from './key-pair.ts';
import type { KeySet } from './key-set.ts';
import { fromPublicJwk, readPrivateKey, readPublicKey } from './key-material.ts';
import type { IdentifiedKey, Jwk, KeyMaterial, KeyPairScheme } from './key-pair-scheme.ts';
import { refuse } from './refusal.ts';
import { readHeader, type SignedInput } from './signed-input.ts';
import { createSignerOf, type Signer } from './signer.ts';
import { SigningError } from './signing-error.ts';
import {
  createVerifierOf,
  type Verification,
  type Verifier,
  type VerifierOptions,
} from './verifier.ts';

export { assertKeyPairScheme } from './assert-scheme.ts';
export type { MaybePromise } from './hmac.ts';
export {
  type IdentifiedKey,
  isKeyPairScheme,
  type Jwk,
  type KeyMaterial,
  type KeyPairAlgorithm,
  type KeyPairScheme,
} from './key-pair-scheme.ts';
export type { KeySet } from './key-set.ts';
export type { Refusal, VerificationFailure } from './refusal.ts';
export { fromHeaders, type HeaderLookup, type SignableRequest } from './request.ts';
export type { SignatureHeaders, Signer } from './signer.ts';
export { SigningError, type InputProblem, type SigningErrorCode } from './signing-error.ts';
export type { Authentic, Verification, Verifier } from './verifier.ts';

/** A private key, with its id where the scheme requires one. */
export type PrivateKey = KeyMaterial | IdentifiedKey;

/** A public key, with its id where it has one. */
export type PublicKey = KeyMaterial | IdentifiedKey;

/** The options of a signer with a private key. */
export interface KeyPairSignerOptions {
  readonly key: PrivateKey;
  /** Returns milliseconds since 1970, between 2001 and 2286. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** The options of a verifier with public keys. */
export interface KeyPairVerifierOptions extends Omit<VerifierOptions, 'keys'> {
  /**
   * The accepted keys, at least one; several during a key rotation. A key with an id is used only for requests that name
   * it, if the scheme states how requests do so. Or the keys at an address (`createKeySet` of the entry `jwks`), for a
   * scheme whose requests name their key.
   */
  readonly keys: readonly PublicKey[] | KeySet;
}

/**
 * Creates a signer. It does not expose its key when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid, such as an RSA key with less than 2,048 bits
 */
export function createSigner(scheme: KeyPairScheme, options: KeyPairSignerOptions): Signer {
  checkKeyPairScheme(scheme);
  const { id, data } = readPrivateKey(options.key, scheme);
  if (namesKeys(scheme) && (id === undefined || !isKeyId(id))) throw explain('missing-key-id');
  const { encoding, format, timestamp } = scheme;
  const signBytes = createKeyPairSigner(scheme, data);
  const toText = (signature: Uint8Array): string =>
    encodeBytes(format === 'der' ? toDerSignature(signature) : signature, encoding);
  const signInput = (pieces: readonly Piece[]): MaybePromise<string> => {
    const signature = signBytes(join(pieces));
    return signature instanceof Promise ? signature.then(toText) : toText(signature);
  };
  const identified = id === undefined ? scheme : withKeyId(scheme, id);
  const signer = createSignerOf(identified, options, checkedCore, signInput);
  const { idHeader } = scheme.key;
  const added = idHeader === undefined || id === undefined ? {} : { [idHeader]: id };
  const ownId = idHeader?.toLowerCase();
  return Object.freeze<Signer>({
    sign(request) {
      if (timestamp?.header !== undefined) {
        const present = readHeader(request, timestamp.header.toLowerCase());
        const isMalformed =
          typeof present === 'string' &&
          present !== '' &&
          Number.isNaN(parseTimestamp(present, timestamp.format));
        if (isMalformed) throw explain('malformed-timestamp');
      }
      const headers = signer.sign({
        ...request,
        headers: (name) => (name === ownId && id !== undefined ? [id] : request.headers(name)),
      });
      return headers instanceof Promise
        ? headers.then((signed) => ({ ...added, ...signed }))
        : { ...added, ...headers };
    },
  });
}

/**
 * Creates a verifier. Its `verify` does not throw for any content of a request. It rejects with `keys-unavailable` where
 * the keys at an address cannot be fetched: the request can then be authentic, and has to be sent again.
 * @throws SigningError for a scheme, key or tolerance that is not valid, such as an RSA key with less than 2,048 bits
 */
export function createVerifier(scheme: KeyPairScheme, options: KeyPairVerifierOptions): Verifier {
  checkKeyPairScheme(scheme);
  const { keys } = options;
  const candidatesOf = isKeySet(keys) ? fetched(scheme, keys) : configured(scheme, keys);
  const toId = compileKeyIdReader(scheme);
  const toSignature = signatureReader(scheme);
  return createVerifierOf(
    scheme,
    options,
    (input, texts, instant, request) => {
      const signatures = texts.flatMap((text) => toSignature(text) ?? []);
      if (signatures.length === 0) return refuse('malformed-signature');
      const id = toId(request);
      if (typeof id === 'object') return id;
      if (isKeySet(keys) && id === undefined)
        return refuse(scheme.key.idHeader === undefined ? 'malformed-signature' : 'missing-header');
      if ('reason' in input) return input;
      const bytes = join(input);
      const match = (candidates: readonly Candidate[]): MaybePromise<Verification> => {
        if (candidates.length === 0) return refuse('unknown-key');
        const pairs = candidates.flatMap((candidate) =>
          signatures.map((signature) => ({ ...candidate, signature })),
        );
        const attempt = (index: number): MaybePromise<Verification> => {
          const pair = pairs[index];
          if (pair === undefined) return refuse('signature-mismatch');
          const { key, matches, signature } = pair;
          const authentic: Verification = {
            ok: true,
            key,
            ...(id === undefined ? {} : { keyId: id }),
            ...(instant === undefined ? {} : { timestamp: instant }),
          };
          const result = matches(bytes, signature);
          if (typeof result === 'boolean') return result ? authentic : attempt(index + 1);
          return result.then((isMatch) => (isMatch ? authentic : attempt(index + 1)));
        };
        return attempt(0);
      };
      const candidates = candidatesOf(id);
      return candidates instanceof Promise ? candidates.then(match) : match(candidates);
    },
    checkedCore,
  );
}

/**
 * Checks that a scheme has the structure of one with a key pair and does not contradict itself.
 * @throws SigningError `invalid-scheme`
 */
export function checkKeyPairScheme(scheme: KeyPairScheme): void {
  assertKeyPairScheme(scheme);
  checkForm(scheme);
  checkKeyId(scheme);
}

/** A key that could have signed a request. */
interface Candidate {
  /** The index of the key. */
  readonly key: number;
  readonly matches: ReturnType<typeof createKeyPairMatcher>;
}

type CandidatesOf = (id: string | undefined) => MaybePromise<readonly Candidate[]>;

function isKeySet(keys: KeyPairVerifierOptions['keys']): keys is KeySet {
  return !Array.isArray(keys) && typeof (keys as Partial<KeySet> | undefined)?.find === 'function';
}

function configured(scheme: KeyPairScheme, keys: readonly PublicKey[]): CandidatesOf {
  if (!Array.isArray(keys) || keys.length === 0) throw explain('missing-key', 'keys');
  const all = keys.map((publicKey, key) => {
    const { id, data } = readPublicKey(publicKey, scheme);
    return { id, key, matches: createKeyPairMatcher(scheme, data) };
  });
  if (!namesKeys(scheme)) return () => all;
  return (id) => all.filter((candidate) => candidate.id === undefined || candidate.id === id);
}

/** Keys at an address that have another algorithm, or cannot be imported, are ignored: others may be valid. */
function fetched(scheme: KeyPairScheme, keys: KeySet): CandidatesOf {
  if (!namesKeys(scheme))
    throw new SigningError(
      'invalid-scheme',
      'The signature scheme is invalid. Keys at an address require `key.idHeader`, or {keyId} in `value`.',
      'key.idHeader',
    );
  const cache = new WeakMap<Jwk, Candidate['matches'] | 'unusable'>();
  const toMatcher = (jwk: Jwk): Candidate['matches'] | 'unusable' => {
    const cachedMatcher = cache.get(jwk);
    if (cachedMatcher !== undefined) return cachedMatcher;
    let matcher: Candidate['matches'] | 'unusable' = 'unusable';
    try {
      const matches = createKeyPairMatcher(scheme, fromPublicJwk(jwk, scheme.algorithm));
      matcher = (input, signature) => {
        const result = matches(input, signature);
        return typeof result === 'boolean' ? result : result.catch(toMismatch);
      };
    } catch (error) {
      toMismatch(error);
    }
    cache.set(jwk, matcher);
    return matcher;
  };
  const toCandidates = (jwks: readonly Jwk[]): readonly Candidate[] =>
    jwks.flatMap((jwk, key) => {
      const matches = toMatcher(jwk);
      return matches === 'unusable' ? [] : [{ key, matches }];
    });
  return (id = '') => {
    const jwks = keys.find(id);
    return jwks instanceof Promise ? jwks.then(toCandidates) : toCandidates(jwks);
  };
}

/** Returns that a key that cannot be imported matches nothing. Throws every other error. */
function toMismatch(error: unknown): false {
  if (error instanceof SigningError && error.code === 'malformed-key') return false;
  throw error;
}

/** Returns the function that decodes a signature; ECDSA signatures become the two numbers with 32 bytes each. */
function signatureReader({
  algorithm,
  encoding,
  format,
}: KeyPairScheme): (text: string) => Uint8Array<ArrayBuffer> | undefined {
  const isRsa = algorithm.startsWith('rsa');
  return (text) => {
    const bytes = decodeBytes(text, encoding);
    if (bytes === undefined) return undefined;
    if (format === 'der') return toRawSignature(bytes);
    const isLong = isRsa ? bytes.length >= 256 && bytes.length <= 1024 : bytes.length === 64;
    return isLong ? bytes : undefined;
  };
}

/** Copies the pieces into one array, so that later changes to the body have no effect. */
function join(pieces: Extract<SignedInput, readonly unknown[]>): Uint8Array<ArrayBuffer> {
  const chunks = pieces.map((piece) =>
    typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
  );
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
