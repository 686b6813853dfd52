import type { IncomingMessage } from 'node:http';

/** The maximum size of a body in bytes. */
export const maximumBody: number = 10 * 1024 * 1024;

/** The body of a request, or why it could not be read. */
export type ReadBody =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' | 'aborted'; readonly bytes: Uint8Array };

const none = new Uint8Array();

/** Reads the body of a request. Never rejects. Stops after the maximum size. */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const bytes = (): Uint8Array => {
      const [first = none] = chunks;
      return chunks.length <= 1 ? first : Buffer.concat(chunks);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maximumBody) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve({ kind: 'too-large', bytes: bytes() });
    });
    request.on('end', () => resolve({ kind: 'read', bytes: bytes() }));
    // Also after `end`, where it has no effect.
    request.on('close', () => resolve({ kind: 'aborted', bytes: bytes() }));
    request.on('error', () => resolve({ kind: 'aborted', bytes: bytes() }));
  });
}
