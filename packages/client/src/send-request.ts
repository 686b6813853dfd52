import { streamDecoder, type Received } from './answer.ts';
import type { CallContext } from './call-context.ts';
import { ClientError } from './client-error.ts';
import type { ConnectionContext } from './connection-context.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import type { Draft } from './draft.ts';
import { functionFailed } from './given.ts';
import { isNetworkFailure, isUnsent } from './network-failure.ts';
import { readBody } from './read-body.ts';

/** The result of sending a request: a response, or a failure that may be transient. */
export type Sent =
  | { readonly received: Received; readonly failure?: undefined; readonly isUnsent?: undefined }
  | {
      readonly failure: ClientError;
      /** Whether it is certain that no byte of the call was sent. */
      readonly isUnsent: boolean;
      readonly received?: undefined;
    };

/**
 * Sends a request and reads its response. For a stream, reads only the headers.
 * @throws ClientError for a failure that another attempt would repeat, and the reason of the call's signal
 */
export async function sendRequest(
  { fetch, isPlatformFetch, fetchSendsOnce }: ConnectionContext,
  { method, url, headers }: Draft,
  context: CallContext,
): Promise<Sent> {
  const { body, operation, limits, signal: ofCall } = context;
  const deadline = startDeadline(limits.attemptTimeoutMs, ofCall);
  const { signal } = deadline;
  // The request has its own signal, because a stream continues after the limits of the attempt.
  const transfer = new AbortController();
  const close = (): void => transfer.abort(signal.reason);
  signal.addEventListener('abort', close);
  const init: RequestInit & { readonly method: string } = {
    method,
    headers,
    redirect: 'manual',
    ...(body.contentType === null ? {} : { body: body.bytes }),
  };
  // The async function turns an exception into a rejection.
  const sending = (async () => await fetch(url, { ...init, signal: transfer.signal }))();
  try {
    const response = await untilAborted(sending, signal);
    if (typeof response?.headers?.get !== 'function')
      throw functionFailed('fetch', new Error('It did not return a Response.'));
    const received = { code: response.status, headers: response.headers };
    const decoder = streamDecoder(operation, response, context.options.stream);
    if (decoder !== undefined) {
      const stream = { body: response.body ?? new Blob().stream(), decoder, close };
      return { received: { ...received, bytes: new Uint8Array(), stream } };
    }
    const bytes = await untilAborted(
      readBody(response.body, limits.maxResponseBytes, signal),
      signal,
    );
    return { received: { ...received, bytes } };
  } catch (cause) {
    close();
    // A `fetch` that ignores its signal can still respond.
    sending
      .then(({ body: late }) => (late?.locked === false ? late.cancel() : undefined))
      .catch(() => undefined);
    if (ofCall.aborted) throw ofCall.reason;
    if (cause instanceof ClientError) throw cause;
    if (deadline.isExpired()) {
      const message = `No response arrived within ${limits.attemptTimeoutMs} ms (attemptTimeoutMs).`;
      return { failure: new ClientError('timeout', message), isUnsent: false };
    }
    if (isNetworkFailure(cause, isPlatformFetch, url, init)) {
      const message = 'The connection failed before the response was complete.';
      const failure = new ClientError('network', message, { cause });
      return { failure, isUnsent: fetchSendsOnce && isUnsent(cause) };
    }
    throw isPlatformFetch
      ? new ClientError('invalid-input', 'The platform cannot send this request.', { cause })
      : functionFailed('fetch', cause);
  } finally {
    // Its signal then stays as it is, so `close` is not called any more.
    deadline.end();
  }
}
