import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { format } from '@vitest/pretty-format';
import { Buffer } from 'buffer';
import { gzipSync as compress } from 'fflate';

/** What the rules take of Node's own modules, for a platform without them. */
export async function setTimeout<Value>(
  milliseconds: number,
  value?: Value,
): Promise<Value | undefined> {
  return await new Promise((resolve) => {
    globalThis.setTimeout(resolve, milliseconds, value);
  });
}

export const inspect = (value: unknown): string => format(value);

export const gzipSync = (bytes: Uint8Array): Uint8Array => compress(bytes);

export const createHmac = (_algorithm: 'sha256', key: string) => ({
  update: (text: string) => ({
    digest: (encoding: BufferEncoding): string =>
      Buffer.from(hmac(sha256, Buffer.from(key), Buffer.from(text))).toString(encoding),
  }),
});
