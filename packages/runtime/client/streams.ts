import { ClientError } from './client-error.ts';
import { fromBytes } from './decoders.ts';
import type { StreamDecoder, StreamSource } from './operation.ts';

/** A decoder for a binary body: bytes, or a stream where the call has `stream: true`. */
export const fromBinary: StreamDecoder = { decode: fromBytes, stream: byteStream };

function byteStream(source: StreamSource): ReadableStream<Uint8Array> {
  const chunks = readChunks(source);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await chunks.next();
        if (value === undefined) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return();
      },
    },
    // Reads nothing until the caller does.
    { highWaterMark: 0 },
  );
}

/** The chunks of a body, or items decoded from them. `return` closes the connection, even before the first item. */
export type Chunks<T> = AsyncIterableIterator<T> & {
  next(): Promise<IteratorResult<T, undefined>>;
  return(): Promise<IteratorResult<T, undefined>>;
};

/**
 * Reads a body chunk by chunk, for as long as the service sends. Ends with a ClientError where no chunk arrives for
 * `idleTimeoutMs`, the caller aborts, or the connection is lost. Leaving the loop with `break` closes the connection.
 */
export function readChunks(source: StreamSource): Chunks<Uint8Array> {
  return closing(source, chunksOf(source));
}

/** Makes `return` close the connection. A generator does not do that before its first item. */
export function closing<T>(source: StreamSource, items: AsyncGenerator<T, undefined>): Chunks<T> {
  const chunks: Chunks<T> = {
    next: async () => await items.next(),
    async return() {
      source.close();
      if (!source.body.locked) source.body.cancel().catch(() => undefined);
      return await items.return(undefined);
    },
    [Symbol.asyncIterator]: () => chunks,
  };
  return chunks;
}

async function* chunksOf({
  body,
  signal,
  idleTimeoutMs,
  close,
  fail,
}: StreamSource): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader();
  let failure: ClientError | undefined;
  let isRead = false;
  const stop = (error: ClientError): void => {
    failure ??= error;
    close();
    // Cancelling ends a pending read, even where `fetch` ignores its signal.
    reader.cancel().catch(() => undefined);
  };
  const abort = (): void =>
    stop(new ClientError('aborted', 'The caller aborted the call.', { cause: signal?.reason }));
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted === true) abort();
    for (;;) {
      const timer = setTimeout(
        () =>
          stop(
            new ClientError(
              'timeout',
              `The service sent nothing for ${idleTimeoutMs} ms (idleTimeoutMs).`,
            ),
          ),
        idleTimeoutMs,
      );
      let chunk: Awaited<ReturnType<typeof reader.read>> | undefined;
      try {
        chunk = await reader.read();
      } catch (cause) {
        const message = 'The connection failed before the response was complete.';
        failure ??= new ClientError('network', message, { cause });
      } finally {
        clearTimeout(timer);
      }
      if (failure !== undefined) throw fail(failure);
      if (chunk?.value === undefined) {
        isRead = true;
        return undefined;
      }
      yield chunk.value;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    if (!isRead) {
      close();
      reader.cancel().catch(() => undefined);
    }
  }
}
