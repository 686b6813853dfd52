import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Outcome } from './outcome.ts';
import type { Receive } from './receiver.ts';
import type { HeaderLookup, Waiting } from './request.ts';
import { warnOfConsumedBody } from './warn-of-consumed-body.ts';
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
        target: receivedTarget(request),
        headers: receivedHeaders(request),
        read: (limit, waiting) => readBody(request, limit, waiting, fix),
      }),
    );
  };
}

/** Path and query as received: frameworks that mount a handler cut the path, and keep it beside. */
export function receivedTarget(
  request: Pick<IncomingMessage, 'url'> & { readonly originalUrl?: unknown },
): string {
  return typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
}

/** Every header as received, the repeated ones too. */
export function receivedHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): HeaderLookup {
  return (name) => {
    const values: string[] = [];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const candidate = rawHeaders[index] ?? '';
      if (
        candidate === name ||
        (candidate.length === name.length && candidate.toLowerCase() === name)
      )
        values.push(rawHeaders[index + 1] ?? '');
    }
    return values;
  };
}

function respond(response: ServerResponse, { status, reason, headers, body }: Outcome): void {
  if (reason === 'body-consumed') warnOfConsumedBody(fix);
  if (response.headersSent || response.destroyed) return;
  const length = body === undefined ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, { ...headers, 'content-length': length }).end(body);
}

const fix =
  'Mount the receiver before express.json() and other body parsers, or on a path that they do not cover; or have the parser keep the bytes as request.rawBody, with its option `verify`.';

/** Where those who read a body before the receiver keep its bytes. */
export interface KeptBody {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * The whole body, as `IncomingRequest.read` has it; where it was read before, the bytes that were kept.
 * @param fix what the error says where none were
 */
export function readBody(
  request: Readable & KeptBody,
  limit: number,
  waiting: Waiting,
  fix: string,
  keptBeside: KeptBody = {},
): Promise<Uint8Array> {
  if (request.readableDidRead || request.readableEnded) {
    const places = [request.rawBody, request.body, keptBeside.rawBody, keptBeside.body];
    const kept = places.find((bytes) => bytes instanceof Uint8Array);
    return kept === undefined ? Promise.reject(bodyConsumed(fix)) : Promise.resolve(kept);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const fail = (error: Error): void => {
      isOver = true;
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
    request.on('end', () => {
      isOver = true;
      const [only] = chunks;
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size));
    });
    request.on('error', fail);
    // Also follows every end; an error is made only where it has something to say.
    request.on('close', () => {
      if (!isOver) fail(new Error('The request ended before its body was whole.'));
    });
    waiting.whenOver(() => fail(new Error('The body did not come in time.')));
  });
}
