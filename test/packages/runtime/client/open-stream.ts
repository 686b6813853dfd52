import type { StreamDecoder } from '../../../../packages/runtime/client/client.ts';

/** Opens a body as a call does that has no time limit of its own, and refuses inexact numbers. */
export function openStream(
  decoder: StreamDecoder,
  body: ReadableStream<Uint8Array>,
  maxResponseBytes: number,
): unknown {
  return decoder.stream(
    { body, decoder, close: () => undefined },
    {
      signal: undefined,
      limits: { idleTimeoutMs: 10_000, maxResponseBytes },
      numbers: 'refuse',
      status: 200,
      check: undefined,
      violated: () => {
        throw new Error('Nothing is checked.');
      },
      fail: (error) => error,
    },
  );
}
