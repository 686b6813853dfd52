import { createVerifier, type SignatureScheme } from '@countersign/runtime/signing';
import type { Received } from './receive.ts';

const scheme: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.header.x-account', '$timestamp', '$request.body', '$url.path'],
  encoding: 'hex',
  header: 'x-signature',
  value: '{signature}',
  timestamp: { header: 'x-timestamp', format: 'unix-seconds', tolerance: 300 },
};

/** Returns why a request is not authentic, or `authentic`. */
export async function verify(
  key: string,
  { method, url, headers, body }: Received,
): Promise<string> {
  const verification = await createVerifier(scheme, { keys: [key] }).verify({
    method: method ?? '',
    url: url ?? '',
    headers: (name) => {
      const value = headers[name];
      return value === undefined ? [] : [value].flat();
    },
    body: Buffer.from(body),
  });
  return verification.ok ? 'authentic' : verification.reason;
}
