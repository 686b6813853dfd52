/**
 * Signatures with a secret that both sides have, by `node:crypto` or WebCrypto. `createSigner` and `createVerifier` expect
 * a scheme that has been checked, as a generator does. `index.ts` has those that check it.
 */

import { type NodeModules, builtinModule, faultOfSecret } from '../base/index.ts';
import {
  type CoreParts,
  type MaybePromise,
  type Piece,
  type SignatureAlgorithm,
  type SignatureEncoding,
  type SignatureScheme,
  type SignedInput,
  type Signer,
  type SignerOptions,
  SigningError,
  type SigningErrorCode,
  type TimestampPatterns,
  type Verification,
  type Verifier,
  type VerifierOptions,
  createSignerOf,
  createVerifierOf,
  decodeBytes,
  encodeBytes,
  isWellFormed,
  parseTimestamp,
  refuse,
} from './core.ts';

export { type TimestampPatterns, timestampPatterns, writeTimestamp } from './core.ts';

/** Returns the HMAC of the concatenated pieces, in the scheme's encoding. */
type HmacSigner = (pieces: readonly Piece[]) => MaybePromise<string>;

/**
 * Returns whether one of the texts is the canonical encoding of the HMAC of the pieces. Hexadecimal digits may be upper
 * or lower case. The duration does not depend on the value of the HMAC.
 */
type HmacMatcher = (
  pieces: readonly Piece[],
  signatures: readonly string[],
) => MaybePromise<boolean>;

type HmacScheme = Pick<SignatureScheme, 'algorithm' | 'encoding'>;

/**
 * Creates a function that signs; it does not expose the key. With `node:crypto`, it returns no promise, which would cost
 * more time than the digest of a small request.
 */
export function createHmacSigner(
  { algorithm, encoding }: HmacScheme,
  bytes: Uint8Array,
): HmacSigner {
  const node = nodeHmac();
  if (node !== undefined) {
    const toDigest = createNodeDigest(node, algorithm, bytes);
    return (pieces) => toDigest(pieces, encoding);
  }
  const toKey = keyImporter(algorithm, bytes, 'sign');
  return async (pieces) => {
    // Copies the pieces at once, so that later changes to the body have no effect.
    const input = new Blob(pieces as BlobPart[]).arrayBuffer();
    const digest = await crypto.subtle.sign('HMAC', await toKey(), await input);
    return encodeBytes(new Uint8Array(digest), encoding);
  };
}

/** Creates a function that compares in constant time; it does not expose the key. */
export function createHmacMatcher(scheme: HmacScheme, bytes: Uint8Array): HmacMatcher {
  const { algorithm, encoding } = scheme;
  const node = nodeHmac();
  if (node !== undefined) return createNodeMatcher(node, scheme, bytes);
  const toKey = keyImporter(algorithm, bytes, 'verify');
  return async (pieces, signatures) => {
    const input = new Blob(pieces as BlobPart[]).arrayBuffer();
    for (const signature of signatures) {
      const digest = decodeBytes(signature, encoding);
      if (digest && (await crypto.subtle.verify('HMAC', await toKey(), digest, await input)))
        return true;
    }
    return false;
  };
}

/**
 * Returns a function that imports the key on its first call. Some platforms forbid asynchronous work while a module is
 * loaded.
 */
function keyImporter(
  algorithm: SignatureAlgorithm,
  key: Uint8Array,
  usage: 'sign' | 'verify',
): () => Promise<CryptoKey> {
  const bytes = Uint8Array.from(key);
  const hash = algorithm.replace('hmac-sha', 'SHA-');
  let imported: Promise<CryptoKey> | undefined;
  return () =>
    (imported ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, [usage]));
}

/** The modules of Node that compute an HMAC. */
type NodeHmac = Pick<NodeModules['node:buffer'], 'Buffer'> &
  Required<
    Pick<NodeModules['node:crypto'], 'createHmac' | 'createSecretKey' | 'hash' | 'timingSafeEqual'>
  >;

/** Returns the modules of Node, or `undefined` if the platform lacks them or has older ones. */
function nodeHmac(): NodeHmac | undefined {
  const { Buffer } = builtinModule('node:buffer') ?? {};
  const nodeCrypto = builtinModule('node:crypto');
  if (Buffer === undefined || nodeCrypto?.hash === undefined) return undefined;
  const { createHmac, createSecretKey, hash, timingSafeEqual } = nodeCrypto;
  return { Buffer, createHmac, createSecretKey, hash, timingSafeEqual };
}

/** Compares with `node:crypto`. */
function createNodeMatcher(
  node: NodeHmac,
  { algorithm, encoding }: HmacScheme,
  bytes: Uint8Array,
): HmacMatcher {
  const { Buffer, timingSafeEqual } = node;
  const toDigest = createNodeDigest(node, algorithm, bytes);
  const { length } = toDigest([], encoding);
  const digestBytes = Buffer.alloc(length);
  const signatureBytes = Buffer.alloc(length);
  // Canonical texts are equal exactly where their bytes are. Characters outside ASCII become bytes that occur in no
  // encoded digest.
  const isOwn = (text: string): boolean =>
    text.length === length &&
    signatureBytes.write(text, 'utf8') === length &&
    timingSafeEqual(digestBytes, signatureBytes);
  return (pieces, signatures) => {
    digestBytes.write(toDigest(pieces, encoding), 'latin1');
    for (const signature of signatures) {
      if (isOwn(signature)) return true;
      // Hexadecimal digits may be upper or lower case.
      if (encoding === 'hex' && isOwn(signature.toLowerCase())) return true;
    }
    return false;
  };
}

/**
 * The maximum size in bytes of a small request. Its pieces are copied into a buffer after the key's inner pad, because
 * one copy is faster than a call for each piece.
 */
const small = 4096;

/**
 * Returns a function that computes the HMAC with `node:crypto`. Uses two calls of `hash` for small requests, as RFC 2104
 * defines HMAC: creating one `Hmac` takes as long as both calls. Uses an `Hmac` for large requests, because it needs no
 * copy of them.
 */
function createNodeDigest(
  { Buffer, createHmac, createSecretKey, hash }: NodeHmac,
  algorithm: SignatureAlgorithm,
  bytes: Uint8Array,
): (pieces: readonly Piece[], encoding: SignatureEncoding) => string {
  const name = algorithm.slice('hmac-'.length);
  // `B` in RFC 2104.
  const block = algorithm === 'hmac-sha512' ? 128 : 64;
  const key = createSecretKey(bytes);
  const inner = Buffer.allocUnsafeSlow(block + small).fill(0x36, 0, block);
  const outer = Buffer.alloc(block + hash(name, '', 'latin1').length).fill(0x5c, 0, block);
  const short = Buffer.alloc(block);
  if (bytes.length > block) short.write(hash(name, bytes, 'latin1'), 'latin1');
  else short.set(bytes);
  for (const [index, byte] of short.entries()) {
    inner[index] = byte ^ 0x36;
    outer[index] = byte ^ 0x5c;
  }
  return (pieces, encoding) => {
    let end = block;
    for (const piece of pieces) end += piece.length;
    if (end > inner.length) {
      const hmac = createHmac(name, key);
      for (const piece of pieces)
        if (typeof piece === 'string') hmac.update(piece, 'latin1');
        else hmac.update(piece);
      return hmac.digest(encoding);
    }
    let at = block;
    for (const piece of pieces) {
      if (typeof piece === 'string') inner.write(piece, at, 'latin1');
      else inner.set(piece, at);
      at += piece.length;
    }
    // Returning a string from native code is faster than returning a Buffer.
    const digest = hash(name, new Uint8Array(inner.buffer, 0, end), 'latin1');
    outer.write(digest, block, 'latin1');
    return hash(name, outer, encoding);
  };
}

/**
 * Returns the bytes of a key.
 * @param key text in the scheme's encoding, with or without its prefix, or the bytes themselves
 * @throws the error for `missing-key` for an empty key and for texts such as `undefined`, for `malformed-key` for text that
 * is not in the encoding, or begins or ends with white space
 */
export function toKeyBytes(
  key: string | Uint8Array,
  { prefix = '', encoding }: SignatureScheme['key'],
  { toError }: CoreParts,
): Uint8Array {
  const bareKey =
    typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : key;
  let bytes: Uint8Array | undefined;
  if (bareKey instanceof Uint8Array) bytes = bareKey;
  else {
    const fault = faultOfSecret(bareKey);
    if (fault === 'white-space') throw toError('malformed-key', fault);
    if (fault !== undefined) throw toError('missing-key');
    // The encoding of half a character is that of a replacement character.
    if (encoding !== 'utf-8') bytes = decodeBytes(bareKey, encoding);
    else if (isWellFormed(bareKey)) bytes = new TextEncoder().encode(bareKey);
  }
  if (!bytes) throw toError('malformed-key', encoding);
  // Also the bytes of an empty file, of an encoded line break, or of a buffer that nothing was written to.
  if (bytes.every(isBlank)) throw toError('missing-key');
  return bytes;
}

function isBlank(byte: number): boolean {
  return byte === 0x00 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

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

/**
 * Creates a signer for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key that is not valid
 */
export function createSigner(
  scheme: SignatureScheme,
  options: SignerOptions,
  patterns?: TimestampPatterns,
): Signer {
  return createHmacSignerOf(scheme, options, { toError, patterns });
}

/**
 * Creates such a signer that also refuses a request with a timestamp of its own that is not in the format of the scheme.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key that is not valid
 */
export function createCheckingSigner(
  scheme: SignatureScheme,
  options: SignerOptions,
  patterns?: TimestampPatterns,
): Signer {
  return createHmacSignerOf(scheme, options, { toError, patterns, parse: parseTimestamp });
}

/**
 * Creates a verifier for a scheme that has been checked, for example by a generator. Its errors have short texts.
 * @param patterns `timestampPatterns`; required for a scheme whose timestamps have a pattern
 * @throws SigningError for a key or tolerance that is not valid
 */
export function createVerifier(
  scheme: SignatureScheme,
  options: VerifierOptions,
  patterns?: TimestampPatterns,
): Verifier {
  return createHmacVerifierOf(scheme, options, { toError, patterns });
}

/** Only the mistakes of a configuration have texts, so that bundles stay small. */
const texts: { readonly [code in SigningErrorCode]?: string } = {
  'missing-key':
    'The key is missing, empty or a text such as `undefined`; check its environment variable',
  'malformed-key': 'The key is not in its encoding, or has white space around it',
  'invalid-option': 'An option is out of range',
};

function toError(code: SigningErrorCode, subject?: string): SigningError {
  const fault = subject === undefined ? code : `${code}: ${subject}`;
  return new SigningError(
    code,
    `${texts[code] ?? 'The request cannot be signed'} (${fault})`,
    subject,
  );
}
