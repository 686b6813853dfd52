import { createHash } from 'node:crypto';

/**
 * The SHA-256 of a file's content, in hex, with every CRLF read as LF: a checkout that converts line ends is not
 * an edit. Generated files hold LF only, so that nothing else is lost by that.
 */
export function contentHash(content: string | Buffer): string {
  return createHash('sha256').update(withoutCarriageReturns(content)).digest('hex');
}
export function withoutCarriageReturns(content: string | Buffer): string | Buffer {
  if (typeof content === 'string') return content.replaceAll('\r\n', '\n');
  if (!content.includes(13)) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
