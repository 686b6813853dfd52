import { hash } from 'node:crypto';

/** SHA-256 in Base64url. */
export function digest(content: string | Uint8Array): string | Promise<string> {
  return hash('sha256', content, 'base64url');
}
