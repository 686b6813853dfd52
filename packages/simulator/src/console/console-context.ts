import type { Context } from 'hono';
import { GrowingBytes } from '../growing-bytes.ts';
import type { Simulator } from '../simulator.ts';
import { RefusedRequest } from './console-error.ts';
import type { Guard } from './guard.ts';
import type { Reader } from './input.ts';

/** What the routes of a console share. */
export interface ConsoleContext {
  readonly simulator: Simulator;
  readonly guard: Guard;
  /** The receivers that were given at the start, as normalized addresses. */
  readonly targets: readonly string[];
  /** Replaces credentials in text. */
  readonly redact: (text: string) => string;
  /** Is called after the journal was cleared. */
  readonly cleared: Set<() => void>;
}

/**
 * Reads the JSON body of a request.
 * @throws RefusedRequest for a body that is too large or is not JSON, or has another form
 */
export async function readBody<T>(
  { req }: Context,
  reader: Reader<T>,
  parse: (text: string) => unknown = JSON.parse,
): Promise<T> {
  if (!/^application\/json\s*(?:;|$)/iu.test(req.header('content-type') ?? ''))
    throw new RefusedRequest(400, 'invalid-input', 'The body must be application/json.');
  const bytes = await readBytes(req.raw.body);
  let value: unknown;
  try {
    value = parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RefusedRequest(400, 'invalid-input', 'The body is not JSON.');
  }
  return reader(value, '');
}

/** The largest body of a request. */
const maxBody = 2 * 1024 * 1024;

async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const bytes = new GrowingBytes();
  const reader = body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return bytes.take();
    if (bytes.length + chunk.value.length > maxBody) {
      // The rest is not read. Its failure does not matter.
      reader?.cancel().catch(() => undefined);
      throw new RefusedRequest(413, 'too-large', `A body has at most ${maxBody} bytes.`);
    }
    bytes.add(chunk.value);
  }
}
