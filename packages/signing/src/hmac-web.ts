import { decodeBytes, encodeBytes } from './encoding.ts';
import type { Hmac, Piece } from './hmac.ts';
import { toCryptoKey } from './crypto-key.ts';

/** Imports a key for WebCrypto, which computes the HMAC and compares signatures itself. */
export const importHmacKey: Hmac['importHmacKey'] = ({ algorithm, encoding }, bytes) => {
  const toKey = toCryptoKey(algorithm, bytes);
  return {
    async sign(pieces) {
      const input = concatenate(pieces);
      return encodeBytes(
        new Uint8Array(await crypto.subtle.sign('HMAC', await toKey(), input)),
        encoding,
      );
    },
    async matches(pieces, signatures) {
      const input = concatenate(pieces);
      for (const signature of signatures) {
        const digest = decodeBytes(signature, encoding);
        if (digest && (await crypto.subtle.verify('HMAC', await toKey(), digest, input)))
          return true;
      }
      return false;
    },
  };
};

/** Copies the pieces into one array synchronously, so that later changes to the body have no effect. */
function concatenate(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const input = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    input.set(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece, offset);
    offset += piece.length;
  }
  return input;
}
