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
    'Signatures need `hash` of node:crypto. Run Node 20.12 or later.',
  );
}

/** What RFC 2104 calls B, in bytes. */
const blockLengths: Readonly<Record<SignatureAlgorithm, number>> = {
  'hmac-sha256': 64,
  'hmac-sha1': 64,
  'hmac-sha512': 128,
};

/** Bytes of small requests, each of which is put together behind the inner pad of a key: a copy costs less than a call for each piece. */
const small = 4096;

/** Answers at once: a promise would cost more than the digest of a small request. */
export const importHmacKey: Hmac['importHmacKey'] = ({ algorithm, encoding }, bytes) => {
  const toDigest = createDigest(algorithm, bytes);
  const { length } = toDigest([], encoding);
  const own = Buffer.alloc(length);
  const given = Buffer.alloc(length);
  // Bytes are equal where canonical texts are; and what is not ASCII becomes bytes that no digest is written with.
  const isOwn = (text: string): boolean =>
    text.length === length && given.write(text, 'utf8') === length && timingSafeEqual(own, given);
  return {
    sign: (pieces) => toDigest(pieces, encoding),
    matches(pieces, signatures) {
      own.write(toDigest(pieces, encoding), 'latin1');
      for (const signature of signatures) {
        if (isOwn(signature)) return true;
        // Hexadecimal digits may be of either case.
        if (encoding === 'hex' && isOwn(signature.toLowerCase())) return true;
      }
      return false;
    },
  };
};

/**
 * The HMAC of small requests by two calls of `hash`, as RFC 2104 defines it: to make one `Hmac` takes as long as both.
 * A large request is left to an `Hmac`, which needs no copy of it.
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
    // Text crosses from native code in less time than a Buffer takes.
    const digest = hash(name, new Uint8Array(inner.buffer, 0, end), 'latin1');
    outer.write(digest, block, 'latin1');
    return hash(name, outer, encoding);
  };
}
