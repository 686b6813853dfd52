import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { GrowingBytes } from '../base/index.ts';
import {
  type HeaderLookup,
  type Outcome,
  type Waiting,
  bodyConsumed,
  tooLarge,
} from './contract.ts';
import type { Receive } from './receiver.ts';

// What the adapters of frameworks for Node need besides.
export { createLabelTest, invalid, isAtOrBelow, pathSegments, splitTarget } from './contract.ts';

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
  // A response without content has no length (RFC 9110, section 8.6).
  const own = status === 204 ? headers : { ...headers, 'content-length': length };
  response.writeHead(status, own).end(body);
}

const fix =
  'Mount the receiver before express.json() and other body parsers, or on a path that they do not cover. Or let the parser keep the bytes as request.rawBody, with its option `verify`.';

/** The properties in which a body parser may keep the bytes that it has read. */
export interface KeptBody {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * Reads the whole body as `IncomingRequest.read` specifies. If the body was read before, returns the bytes that were
 * kept.
 * @param fix how to fix the setup, for the error where no bytes were kept
 */
export function readBody(
  request: Readable & KeptBody,
  maxBytes: number,
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
    const body = new GrowingBytes();
    let isOver = false;
    const fail = (error: Error): void => {
      isOver = true;
      request.off('data', add).pause();
      reject(error);
    };
    const add = (chunk: Buffer): void => {
      if (body.length + chunk.length > maxBytes) fail(tooLarge());
      else body.add(chunk);
    };
    request.on('data', add);
    request.on('end', () => {
      isOver = true;
      resolve(body.take());
    });
    request.on('error', fail);
    // `close` also follows `end`; the error is created only where the body is incomplete.
    request.on('close', () => {
      if (!isOver) fail(new Error('The request ended before its body was complete.'));
    });
    waiting.whenOver(() => fail(new Error('The body did not arrive in time.')));
  });
}
