import { Buffer } from 'node:buffer';
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Hmac, Piece } from './hmac.ts';
import type { SignatureEncoding } from './scheme.ts';

const hashes = { 'hmac-sha256': 'sha256', 'hmac-sha1': 'sha1', 'hmac-sha512': 'sha512' } as const;

/** Answers at once: a promise would cost more than the digest of a small request. */
export const importHmacKey: Hmac['importHmacKey'] = (algorithm, bytes) => {
  const hash = hashes[algorithm];
  const key = createSecretKey(bytes);
  return {
    sign: (pieces, encoding) => toDigest(hash, key, pieces, encoding),
    matches(pieces, digests) {
      // A string crosses from native code in three quarters of the time that a Buffer takes.
      const digest = Buffer.from(toDigest(hash, key, pieces, 'latin1'), 'latin1');
      for (const candidate of digests) if (timingSafeEqual(candidate, digest)) return true;
      return false;
    },
  };
};

/** In a Buffer, whose memory native code can read where it is; that of a small array of its own would be moved first. */
export const decodeDigest: Hmac['decodeDigest'] = (text, encoding) => {
  const bytes = Buffer.from(text, encoding);
  // Node stops at a digit that is none, and reads Base64 of any alphabet, padding and length.
  const canonical =
    encoding === 'hex' ? 2 * bytes.length === text.length : bytes.toString(encoding) === text;
  return canonical ? bytes : undefined;
};

function toDigest(
  hash: string,
  key: KeyObject,
  pieces: readonly Piece[],
  encoding: SignatureEncoding | 'latin1',
): string {
  const hmac = createHmac(hash, key);
  for (const piece of pieces) {
    if (typeof piece === 'string') hmac.update(piece, 'latin1');
    else hmac.update(piece);
  }
  return hmac.digest(encoding);
}
