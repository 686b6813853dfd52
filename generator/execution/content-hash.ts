// `createHash`, and not `hash`: every entry of the toolkit imports this file, and Node 18, which lacks `hash`, would fail
// before it is refused with a message.
import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 hash of a file's content in hex, with every CRLF read as LF. A checkout that converts line
 * endings is thus no edit. Generated files contain only LF.
 */
export function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(withoutCarriageReturns(content)).digest('hex');
}

function withoutCarriageReturns(content: string | Buffer): string | Buffer {
  if (typeof content === 'string') return content.replaceAll('\r\n', '\n');
  if (!content.includes(13)) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
