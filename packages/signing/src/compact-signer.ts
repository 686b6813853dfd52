import { toInput } from './compact-input.ts';
import { readKey } from './compact-key.ts';
import { encodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';
import type { Signer, SignerOptions } from './signer.ts';
import { writeTimestamp } from './timestamp.ts';

/**
 * Creates a signer like `createSigner`, based on WebCrypto and optimized for size. Does not validate the scheme, which
 * a generator must have checked. Does not validate the method, URL and timestamp of a request either.
 * @returns a signer whose `sign` rejects with a TypeError where a signed header is missing or malformed, or where
 * another request would have the same signature
 * @throws TypeError for a key that is empty or not in the scheme's encoding
 */
export function createCompactSigner(
  scheme: SignatureScheme,
  { key, clock = () => Date.now() }: SignerOptions,
): Signer {
  const toKey = readKey(scheme, key);
  const { header = '', format } = scheme.timestamp ?? {};
  return {
    async sign(request) {
      const [present = ''] = header && request.headers(header.toLowerCase());
      const stamp = present || (format ? writeTimestamp(clock(), format) : '');
      const input = toInput(scheme, request, stamp);
      if (!input)
        throw new TypeError(
          'A signed header is missing, or other requests would have the same signature.',
        );
      const digest = await crypto.subtle.sign('HMAC', await toKey(), await input);
      const signature = encodeBytes(new Uint8Array(digest), scheme.encoding);
      return {
        ...(!present && header && { [header]: stamp }),
        [scheme.header]: scheme.value
          .replace('{signature}', signature)
          .replace('{timestamp}', () => stamp),
      };
    },
  };
}
