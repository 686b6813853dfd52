import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Hmac } from './hmac.ts';

const hashes = { 'hmac-sha256': 'sha256', 'hmac-sha1': 'sha1', 'hmac-sha512': 'sha512' } as const;

/** Answers at once: a promise would cost more than the digest of a small request. */
export const importHmacKey: Hmac['importHmacKey'] = (algorithm, bytes) => {
  const hash = hashes[algorithm];
  const key = createSecretKey(bytes);
  return {
    digest(pieces) {
      const hmac = createHmac(hash, key);
      for (const piece of pieces) {
        if (typeof piece === 'string') hmac.update(piece, 'latin1');
        else hmac.update(piece);
      }
      return hmac.digest();
    },
  };
};

export const equalBytes: Hmac['equalBytes'] = timingSafeEqual;
