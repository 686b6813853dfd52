import { late, within } from './deadline.ts';
import type { Reason } from './outcome.ts';
import type { IncomingRequest } from './request.ts';
import { WebhookError } from './webhook-error.ts';

/** The limits of what is read. */
export interface ReadLimits {
  readonly methods: ReadonlySet<string>;
  /** Bytes. */
  readonly limit: number;
  /** Milliseconds. */
  readonly timeLimit: number;
}

/** The whole body, or why there is none. */
export type ReadBody =
  | { readonly body: Uint8Array; readonly reason?: undefined }
  | { readonly reason: Reason; readonly error?: unknown };

/** Reads the body of a request, if its head allows that. Never rejects. */
export async function readDelivery(
  request: IncomingRequest,
  { methods, limit, timeLimit }: ReadLimits,
  abort: AbortController,
): Promise<ReadBody> {
  if (!methods.has(request.method)) return { reason: 'wrong-method' };
  if (request.headers('content-encoding').some(isEncoded)) return { reason: 'encoded-body' };
  if (request.headers('content-length').some((length) => Number(length) > limit))
    return { reason: 'too-large' };
  try {
    const body = await within(request.read(limit, abort.signal), timeLimit);
    if (body === late) {
      abort.abort();
      return { reason: 'too-slow' };
    }
    return body.length > limit ? { reason: 'too-large' } : { body };
  } catch (error) {
    if (!(error instanceof WebhookError)) return { reason: 'unreadable' };
    if (error.code === 'too-large') return { reason: 'too-large' };
    return error.code === 'body-consumed'
      ? { reason: 'body-consumed', error }
      : { reason: 'unreadable', error };
  }
}

function isEncoded(value: string): boolean {
  return value.split(',').some((coding) => !/^\s*(?:identity)?\s*$/iu.test(coding));
}
