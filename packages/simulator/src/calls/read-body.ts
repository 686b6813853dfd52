import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '@countersign/runtime/base';

/** The maximum size of a body in bytes. */
export const maximumBody: number = 10 * 1024 * 1024;

/** The body of a request, or why it could not be read. */
export type ReadBody =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' | 'aborted'; readonly bytes: Uint8Array };

/** Reads the body of a request. Never rejects. Stops after the maximum size. */
export function readBody(request: IncomingMessage): Promise<ReadBody> {
  return new Promise((resolve) => {
    const body = new GrowingBytes();
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length <= maximumBody) {
        body.add(chunk);
        return;
      }
      request.pause();
      resolve({ kind: 'too-large', bytes: body.take() });
    });
    request.on('end', () => resolve({ kind: 'read', bytes: body.take() }));
    // Also after `end`, where it has no effect.
    request.on('close', () => resolve({ kind: 'aborted', bytes: body.take() }));
    request.on('error', () => resolve({ kind: 'aborted', bytes: body.take() }));
  });
}
