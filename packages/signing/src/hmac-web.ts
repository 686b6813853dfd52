import { decodeBytes, encodeBytes } from './encoding.ts';
import type { Hmac, Piece } from './hmac.ts';

const hashes = {
  'hmac-sha256': 'SHA-256',
  'hmac-sha1': 'SHA-1',
  'hmac-sha512': 'SHA-512',
} as const;

/** Imports the key on first use: some platforms forbid asynchronous work while a module is loaded. */
export const importHmacKey: Hmac['importHmacKey'] = (algorithm, bytes) => {
  const copy = Uint8Array.from(bytes);
  let imported: Promise<CryptoKey> | undefined;
  const digest = async (pieces: readonly Piece[]): Promise<Uint8Array> => {
    const input = concatenate(pieces);
    imported ??= crypto.subtle.importKey(
      'raw',
      copy,
      { name: 'HMAC', hash: hashes[algorithm] },
      false,
      ['sign'],
    );
    return new Uint8Array(await crypto.subtle.sign('HMAC', await imported, input));
  };
  return {
    sign: async (pieces, encoding) => encodeBytes(await digest(pieces), encoding),
    async matches(pieces, digests) {
      const made = await digest(pieces);
      return digests.some((candidate) => equalBytes(candidate, made));
    },
  };
};

export const decodeDigest: Hmac['decodeDigest'] = decodeBytes;

/** WebCrypto has no comparison of its own; every byte is looked at, whatever the ones before it were. */
function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  }
  return difference === 0;
}

function concatenate(pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  if (pieces.length === 1 && only instanceof Uint8Array && isUnshared(only)) return only;
  const input = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      for (let index = 0; index < piece.length; index++)
        input[offset + index] = piece.charCodeAt(index);
    } else {
      input.set(piece, offset);
    }
    offset += piece.length;
  }
  return input;
}

/** WebCrypto takes no memory that another thread can write to. */
function isUnshared(bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer;
}
