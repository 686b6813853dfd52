import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Address } from './loopback.ts';
import { CommandError } from '../command-error.ts';

/** The HTTP request to send. */
export interface DeliveryRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The HTTP response. */
export interface DeliveryResponse {
  readonly status: number;
  readonly statusText: string;
  /** The headers by lower-case name; values of a repeated header are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether the body was longer than the bytes that were read. */
  readonly isCut: boolean;
  /** Milliseconds from the request to the end of reading the response. */
  readonly duration: number;
}

/** The maximum number of bytes that are read of a response body. */
const maxBodyBytes = 65_536;

/**
 * Sends a request to an address that was resolved before, without resolving the host again. Does not follow redirects
 * or use a proxy.
 * @param timeLimit milliseconds
 * @throws CommandError `unreachable`, `timeout`
 */
export async function exchange(
  { url, method, headers, body }: DeliveryRequest,
  { address, family }: Address,
  timeLimit: number,
): Promise<DeliveryResponse> {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  const lookup: LookupFunction = (_host, options, found) => {
    if (options.all === true) found(null, [{ address, family }]);
    else found(null, address, family);
  };
  const started = performance.now();
  const signal = AbortSignal.timeout(timeLimit);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sending = request(url, {
        agent: new Agent({ keepAlive: false }),
        headers: { ...headers, 'content-length': String(body.length) },
        lookup,
        method,
        signal,
      });
      sending.once('response', resolve).once('error', reject).end(body);
    });
    const read = await readUpTo(response, maxBodyBytes);
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: Object.fromEntries(
        Object.entries(response.headersDistinct).map(([name, values = []]) => [
          name,
          values.join(', '),
        ]),
      ),
      ...read,
      duration: performance.now() - started,
    };
  } catch (error) {
    if (signal.aborted)
      throw new CommandError('timeout', `No response arrived within ${timeLimit} ms.`, {
        cause: error,
      });
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new CommandError('unreachable', `${url.host} cannot be reached${code}.`, {
      cause: error,
    });
  }
}

async function readUpTo(
  response: IncomingMessage,
  limit: number,
): Promise<Pick<DeliveryResponse, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  const body = Buffer.concat(chunks, Math.min(size, limit));
  return { body, isCut: size > limit };
}
