import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './node-body.ts';
import type { HeaderLookup, Outcome } from './contract.ts';
import type { Receive } from './receiver.ts';

/** A request listener for `node:http`. It never rejects. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Creates a request listener for a Node server, or for a part of one, from a receiver. */
export function toNodeHandler(receive: Receive): NodeHandler {
  receive.admit?.('node');
  return async (request, response) => {
    respond(
      response,
      await receive({
        method: request.method ?? '',
        target: receivedTarget(request),
        headers: receivedHeaders(request),
        connection: request.socket,
        read: (maxBytes, waiting) => readBody(request, maxBytes, waiting, fix),
      }),
    );
  };
}

/**
 * Returns path and query as received. Frameworks that mount a handler shorten `url`, and keep the received one in
 * `originalUrl`.
 */
export function receivedTarget(
  request: Pick<IncomingMessage, 'url'> & { readonly originalUrl?: unknown },
): string {
  return typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');
}

/** Creates a lookup of headers as received, with each value of a repeated header. */
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

function respond(response: ServerResponse, { status, headers, body }: Outcome): void {
  if (response.headersSent || response.destroyed) return;
  const length = body === undefined ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, { ...headers, 'content-length': length }).end(body);
}

const fix =
  'Mount the receiver before express.json() and other body parsers, or on a path that they do not cover. Or let the parser keep the bytes as request.rawBody, with its option `verify`.';
