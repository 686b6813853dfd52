import * as nodeCrypto from 'node:crypto';
import { WebhookError } from './webhook-error.ts';

// Node 20.12 is the first with `hash`; a named import of it would fail with a message about a missing export.
const { hash } = nodeCrypto;
if (typeof hash !== 'function') {
  throw new WebhookError(
    'unsupported-platform',
    'This Node lacks `hash` of node:crypto. Use Node 20.12 or later.',
  );
}

/** Returns the SHA-256 digest of a text in Base64. */
export function digest(text: string): string | Promise<string> {
  return hash('sha256', text, 'base64');
}
