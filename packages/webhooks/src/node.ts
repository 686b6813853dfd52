import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from './outcome.ts';
import type { Receive } from './receiver.ts';
import type { HeaderLookup } from './request.ts';
import { bodyConsumed, WebhookError } from './webhook-error.ts';

/** What `node:http` calls with a request; never rejects. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Makes a receiver the listener of a Node server, or a part of one. */
export function toNodeHandler(receive: Receive): NodeHandler {
  return async (request, response) => {
    respond(
      response,
      await receive({
        method: request.method ?? '',
        target: targetOf(request),
        headers: lookup(request),
        read: (limit, signal) => read(request, limit, signal),
      }),
    );
  };
}

/** Frameworks that mount a handler cut the path; what was received is beside it. */
function targetOf(request: IncomingMessage & { readonly originalUrl?: unknown }): string {
  return typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
}

function lookup({ rawHeaders }: IncomingMessage): HeaderLookup {
  return (name) => {
    const values: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const candidate = rawHeaders[index] ?? '';
      if (candidate.length === name.length && candidate.toLowerCase() === name)
        values.push(rawHeaders[index + 1] ?? '');
    }
    return values;
  };
}

function respond(response: ServerResponse, { status, reason, headers, body }: Outcome): void {
  if (reason === 'body-consumed')
    process.emitWarning('A webhook receiver got a request whose body something had read before.', {
      code: 'COUNTERSIGN_BODY_CONSUMED',
      detail: fix,
    });
  if (response.headersSent || response.destroyed) return;
  const length = { 'content-length': String(Buffer.byteLength(body ?? '')) };
  response.writeHead(status, { ...headers, ...length }).end(body);
}

const fix =
  'Mount the receiver before express.json() and other body parsers, or on a path that they do not cover.';

function read(
  request: IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown },
  limit: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (request.readableDidRead || request.readableEnded) {
    const kept = [request.rawBody, request.body].find((bytes) => bytes instanceof Uint8Array);
    return kept === undefined ? Promise.reject(bodyConsumed(fix)) : Promise.resolve(kept);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const fail = (error: Error): void => {
      request.off('data', take).pause();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit)
        fail(new WebhookError('too-large', 'The body has more bytes than are allowed.'));
      else chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => {
      const [only] = chunks;
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    });
    request.once('error', fail);
    request.once('close', () => fail(new Error('The request ended before its body was whole.')));
    signal.addEventListener('abort', () => fail(new Error('The body did not come in time.')));
  });
}
