import type { Context } from 'hono';
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
 * @throws RefusedRequest for a body that is not JSON, or has another form
 */
export async function readBody<T>(
  { req }: Context,
  reader: Reader<T>,
  parse: (text: string) => unknown = JSON.parse,
): Promise<T> {
  if (!/^application\/json\s*(?:;|$)/iu.test(req.header('content-type') ?? ''))
    throw new RefusedRequest(400, 'invalid-input', 'The body must be application/json.');
  const text = await req.text();
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw new RefusedRequest(400, 'invalid-input', 'The body is not JSON.');
  }
  return reader(value, '');
}
