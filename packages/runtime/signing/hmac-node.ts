import { Buffer } from 'node:buffer';
import * as nodeCrypto from 'node:crypto';
import type { Hmac, Piece } from './hmac.ts';
import type { SignatureAlgorithm, SignatureEncoding } from './scheme.ts';
import { SigningError } from './signing-error.ts';

// Node 20.12 is the first with `hash`; a named import of it would fail with a message about a missing export.
const { createHmac, createSecretKey, hash, timingSafeEqual } = nodeCrypto;
if (typeof hash !== 'function') {
  throw new SigningError(
    'unsupported-platform',
    'This Node lacks `hash` of node:crypto. Use Node 20.12 or later.',
  );
}

/** The block length of each hash function in bytes: `B` in RFC 2104. */
const blockLengths: Readonly<Record<SignatureAlgorithm, number>> = {
  'hmac-sha256': 64,
  'hmac-sha1': 64,
  'hmac-sha512': 128,
};

/**
 * The maximum size in bytes of a small request. Its pieces are copied into a buffer after the key's inner pad, because
 * one copy is faster than a call for each piece.
 */
const small = 4096;

/** Returns results synchronously: a promise would cost more time than the digest of a small request. */
export const createHmacSigner: Hmac['createHmacSigner'] = ({ algorithm, encoding }, bytes) => {
  const toDigest = createDigest(algorithm, bytes);
  return (pieces) => toDigest(pieces, encoding);
};

/** Returns results synchronously, and compares them in constant time. */
export const createHmacMatcher: Hmac['createHmacMatcher'] = ({ algorithm, encoding }, bytes) => {
  const toDigest = createDigest(algorithm, bytes);
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
};

/**
 * Returns a function that computes the HMAC. Uses two calls of `hash` for small requests, as RFC 2104 defines HMAC:
 * creating one `Hmac` takes as long as both calls. Uses an `Hmac` for large requests, because it needs no copy of them.
 */
function createDigest(
  algorithm: SignatureAlgorithm,
  bytes: Uint8Array,
): (pieces: readonly Piece[], encoding: SignatureEncoding) => string {
  const name = algorithm.slice('hmac-'.length);
  const block = blockLengths[algorithm];
  const key = createSecretKey(bytes);
  const short = bytes.length > block ? Buffer.from(hash(name, bytes, 'hex'), 'hex') : bytes;
  const inner = Buffer.allocUnsafeSlow(block + small).fill(0x36, 0, block);
  const outer = Buffer.alloc(block + hash(name, '', 'hex').length / 2, 0x5c);
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
