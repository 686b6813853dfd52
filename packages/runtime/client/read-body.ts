import { ClientError } from './client-error.ts';
import { GrowingBytes } from '../base/growing-bytes.ts';

/** The default maximum size of a body in bytes: 64 MiB. */
export const defaultMaxBytes: number = 64 * 1024 * 1024;

/**
 * Reads a body to its end. Counts the bytes as they arrive, after decompression, and cancels the body at the limit.
 * @param signal cancels the body when it is aborted, also where `fetch` ignores its signal
 * @param bytes collects the bytes; after an error, it has those that arrived, up to the limit
 * @throws ClientError `response-too-large`
 */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
  bytes: GrowingBytes = new GrowingBytes(),
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return bytes.take();
  const reader = body.getReader();
  // Cancelling closes the connection. Its result does not matter to the caller.
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { value } = await reader.read();
      // Cancelling ends the body as if it were complete.
      signal.throwIfAborted();
      if (value === undefined) return bytes.take();
      if (bytes.length + value.length > maxBytes) {
        bytes.add(value.subarray(0, maxBytes - bytes.length));
        cancel();
        throw tooLarge('response', maxBytes);
      }
      bytes.add(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Creates the error for a response, or an item of a stream, that is larger than the limit. */
export function tooLarge(what: 'response' | 'item of the stream', maxBytes: number): ClientError {
  const message = `The ${what} has more than ${maxBytes} bytes (maxResponseBytes).`;
  return new ClientError('response-too-large', message);
}
