import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { GrowingBytes } from '@countersign/runtime/base';
import type { Address } from './loopback.ts';
import type { TlsIdentity } from './tls-identity.ts';

/** An HTTP request to send. */
export interface ExchangeRequest {
  readonly url: URL;
  readonly method: string;
  /** All headers, names and values in turn, as `frameHeaders` returns them. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** `slow`: the body is sent in pieces with pauses. `reset`: the connection is closed after half of the body. */
  readonly transport?: 'slow' | 'reset';
  /** The client certificate of a connection with TLS. */
  readonly certificate?: TlsIdentity;
}

/** How a request is sent. */
export interface ExchangeOptions {
  /** The address to connect to; the host of the URL is not resolved again. */
  readonly address: Address;
  /** Milliseconds from the connection attempt to the end of the response. */
  readonly timeoutMs: number;
  /** The certificates (PEM) of the authorities that are trusted. Default: those that Node trusts. */
  readonly ca?: string;
  /** Connections to reuse. Default: one connection for this request alone. */
  readonly connections?: Connections;
}

/** An HTTP response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they were received. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  /** Whether the body was longer than the bytes that were read. */
  readonly isCut: boolean;
}

/** The outcome of an exchange. It has either a response or an error. */
export interface Exchange {
  readonly response?: ExchangeResponse;
  /** `timeout`, `reset`, `connection refused`, or the code of another error of the connection. */
  readonly error?: string;
  readonly cause?: Error;
  /** Milliseconds from the request to the end of the exchange. */
  readonly durationMs: number;
}

/** Connections that are kept open between requests. */
export interface Connections {
  readonly http: http.Agent;
  readonly https: https.Agent;
  close(): void;
}

/** The maximum number of bytes that are read of a response body. */
const maxBodyBytes = 65_536;

/** Opens a pool of connections. */
export function openConnections(): Connections {
  // An idle connection is closed before the five seconds after which common servers close it: a request on a connection
  // that the server is closing would fail.
  const options = { keepAlive: true, maxSockets: 64, timeout: 4_000 };
  const pool = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    ...pool,
    close() {
      pool.http.destroy();
      pool.https.destroy();
    },
  };
}

/** The headers of the connection and the length of the body, which a request has once. In lower case. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
]);

/**
 * Returns all headers of a request, names and values in turn, with those of the connection and the body, which replace
 * given ones.
 */
export function frameHeaders(
  url: URL,
  headers: Iterable<readonly [name: string, value: string]>,
  body: Uint8Array,
  keepsAlive = true,
): readonly string[] {
  const framed: string[] = [];
  for (const [name, value] of headers)
    if (!framingHeaders.has(name.toLowerCase())) framed.push(name, value);
  framed.push('content-length', String(body.byteLength));
  framed.push('host', url.host, 'connection', keepsAlive ? 'keep-alive' : 'close');
  return framed;
}

/**
 * Sends a request. Does not follow redirects or use a proxy, and does not reject: a request that HTTP does not allow has
 * an error, too.
 */
export async function exchange(
  request: ExchangeRequest,
  { address, timeoutMs, connections, ca }: ExchangeOptions,
): Promise<Exchange> {
  const { url, method, headers } = request;
  const started = performance.now();
  return await new Promise<Exchange>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (outcome: Omit<Exchange, 'durationMs'>): void => {
      clearTimeout(timer);
      resolve({ ...outcome, durationMs: performance.now() - started });
    };
    const fail = (cause: Error): void => end({ error: nameError(cause), cause });
    const { protocol } = url;
    const isSecure = protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const open = (): ClientRequest =>
      (isSecure ? https : http).request({
        protocol,
        host: address.address,
        family: address.family,
        port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        // The pool keeps the connections of each certificate apart.
        ...(isSecure ? { ...request.certificate, ...(ca === undefined ? {} : { ca }) } : {}),
        agent: (isSecure ? connections?.https : connections?.http) ?? false,
        ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
      });
    let sending: ClientRequest;
    try {
      sending = open();
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // Waiting for a free connection does not count.
    sending.once('socket', () => {
      timer = setTimeout(() => {
        end({ error: 'timeout' });
        sending.destroy();
      }, timeoutMs);
    });
    sending.once('response', (response) => read(response, end, fail));
    sending.on('error', fail);
    write(sending, request, () => {
      end({ error: 'reset' });
      sending.destroy();
    });
  });
}

function write(
  sending: ClientRequest,
  { body, transport }: ExchangeRequest,
  reset: () => void,
): void {
  if (transport === undefined) {
    sending.end(body);
    return;
  }
  if (transport === 'reset') {
    sending.flushHeaders();
    sending.write(body.subarray(0, Math.ceil(body.byteLength / 2)), reset);
    return;
  }
  const size = Math.max(1, Math.ceil(body.byteLength / 5));
  let sent = 0;
  const step = (): void => {
    if (sending.destroyed) return;
    if (sent + size >= body.byteLength) {
      sending.end(body.subarray(sent));
      return;
    }
    sending.write(body.subarray(sent, (sent += size)));
    setTimeout(step, 10);
  };
  step();
}

function read(
  response: IncomingMessage,
  end: (outcome: { readonly response: ExchangeResponse }) => void,
  fail: (cause: Error) => void,
): void {
  const body = new GrowingBytes();
  let isCut = false;
  const finish = (): void =>
    end({
      response: {
        status: response.statusCode ?? 0,
        statusText: response.statusMessage ?? '',
        rawHeaders: response.rawHeaders,
        body: body.take(),
        isCut,
      },
    });
  response.on('data', (chunk: Buffer) => {
    isCut = body.length + chunk.length > maxBodyBytes;
    body.add(chunk.subarray(0, maxBodyBytes - body.length));
    if (!isCut) return;
    finish();
    response.destroy();
  });
  response.once('end', finish);
  response.once('error', fail);
}

function nameError(error: Error): string {
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'reset';
    case 'ETIMEDOUT':
      return 'timeout';
    default:
      return code === '' ? 'unreachable' : code;
  }
}
