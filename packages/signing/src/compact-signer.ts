import { toInput } from './compact-input.ts';
import { readKey } from './compact-key.ts';
import { encodeBytes } from './encoding.ts';
import type { SignatureScheme } from './scheme.ts';
import type { Signer, SignerOptions } from './signer.ts';
import { writeTimestamp } from './timestamp.ts';

/**
 * Signs as `createSigner` does, over WebCrypto and in few bytes: for schemes that a generator has checked, and for
 * requests whose method, URL and timestamp whoever made them has checked. Throws a TypeError for a key that is empty or
 * not encoded as the scheme says; what it makes rejects with one for a request whose signature another could share.
 */
export function createCompactSigner(
  scheme: SignatureScheme,
  { key, clock = Date.now }: SignerOptions,
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
