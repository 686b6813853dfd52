import { ClientError } from './client-error.ts';

/** The default maximum size of a body in bytes: 64 MiB. */
export const defaultMaxBytes: number = 64 * 1024 * 1024;

/**
 * Reads a body to its end. Counts the bytes as they arrive, after decompression, and cancels the body at the limit.
 * @throws ClientError `response-too-large`
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) break;
    length += chunk.value.length;
    if (length > maxBytes) {
      // Cancelling closes the connection. Its result does not matter to the caller.
      reader?.cancel().catch(() => undefined);
      throw tooLarge('response', maxBytes);
    }
    chunks.push(chunk.value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Creates the error for a response, or an item of a stream, that is larger than the limit. */
export function tooLarge(what: 'response' | 'item', maxBytes: number): ClientError {
  const name = what === 'item' ? 'item of the stream' : what;
  const message = `The ${name} has more than ${maxBytes} bytes (maxResponseBytes).`;
  return new ClientError('response-too-large', message);
}
