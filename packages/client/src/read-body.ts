import { ClientError } from './client-error.ts';

/** Bytes that a body may have that is read to its end: 64 MiB. */
export const defaultMaxBytes: number = 64 * 1024 * 1024;

/**
 * Reads a body to its end. Counts the bytes as they come, after decompression, and cancels the body at the limit.
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
      // The connection is closed; whether that succeeds changes nothing for the caller.
      reader?.cancel().catch(() => undefined);
      throw tooLarge('answer', maxBytes);
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

/** The error for an answer, or one item of a stream, that is larger than the limit. */
export function tooLarge(what: 'answer' | 'item', maxBytes: number): ClientError {
  return new ClientError('response-too-large', `The ${what} has more than ${maxBytes} bytes.`);
}
