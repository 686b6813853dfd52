import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns a comparison with a secret whose duration depends on neither text. */
export function compileSecret(secret: string): (text: string) => boolean {
  const secretDigest = digestOf(secret);
  return (text) => timingSafeEqual(secretDigest, digestOf(text));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
