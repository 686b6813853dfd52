import { executedNote, firstFailure, streamDecoder, type Received } from './answer.ts';
import type { CallContext } from './call-context.ts';
import { ClientError, factsOf } from './client-error.ts';
import type { ConnectionContext } from './connection-context.ts';
import { startDeadline, untilAborted } from './deadline.ts';
import type { Draft } from './draft.ts';
import { functionFailed } from './given.ts';
import { GrowingBytes } from '../base/growing-bytes.ts';
import { isNetworkFailure, isUnsent } from './network-failure.ts';
import { readBody } from './read-body.ts';

const cutOff = 'The connection failed before the response was complete.';

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
 * Sends a request and reads its response. For a stream, reads only the headers. A failure is an answer even if its body
 * is lost.
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
  const bytes = new GrowingBytes();
  let head: Pick<Received, 'status' | 'headers'> | undefined;
  // The async function turns an exception into a rejection.
  const sending = (async () => await fetch(url, { ...init, signal: transfer.signal }))();
  try {
    const response = await untilAborted(sending, signal);
    if (typeof response?.headers?.get !== 'function')
      throw functionFailed('fetch', new Error('It did not return a Response.'));
    const { status, headers: responseHeaders } = response;
    head = { status, headers: responseHeaders };
    // Also an error of the body tells that the service has answered.
    context.about.status = status;
    const decoder = streamDecoder(operation, response, context.options.stream);
    if (decoder !== undefined) {
      const stream = { body: response.body ?? new Blob().stream(), decoder, close };
      return { received: { ...head, bytes: new Uint8Array(), stream } };
    }
    const whole = await untilAborted(
      readBody(response.body, limits.maxResponseBytes, signal, bytes),
      signal,
    );
    return { received: { ...head, bytes: whole } };
  } catch (cause) {
    close();
    // A `fetch` that ignores its signal can still respond.
    sending
      .then(({ body: late }) => (late?.locked === false ? late.cancel() : undefined))
      .catch(() => undefined);
    const read = head && { ...head, bytes: bytes.take() };
    // The status of a failure is the answer, whatever happens to its body.
    if (read !== undefined && read.status >= firstFailure && !context.options.signal?.aborted) {
      const incomplete = cause instanceof ClientError ? cause.message : cutOff;
      return { received: { ...read, incomplete } };
    }
    if (ofCall.aborted) throw ofCall.reason;
    const about = { ...read, body: read?.bytes };
    const note = executedNote(read?.status);
    if (cause instanceof ClientError)
      throw new ClientError(cause.code, cause.message + note, { ...factsOf(cause), ...about });
    if (deadline.isExpired()) {
      const message = `No response arrived within ${limits.attemptTimeoutMs} ms (attemptTimeoutMs).`;
      return { failure: new ClientError('timeout', message + note, about), isUnsent: false };
    }
    if (isNetworkFailure(cause, isPlatformFetch, url, init)) {
      const failure = new ClientError('network', cutOff + note, { ...about, cause });
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
