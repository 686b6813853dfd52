import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { CommandError } from 'countersign/companion/terminal';
import { withoutQuery } from './address.ts';
import { isPrivateAddress } from './private-addresses.ts';

/** A document as it was fetched. */
interface FetchedDocument {
  /** The address after all redirects, from which relative references are resolved. */
  readonly base: URL;
  readonly bytes: Buffer;
}

/** Fetches a document. */
export type FetchDocument = (address: URL, maxBytes: number) => Promise<FetchedDocument>;

/** How documents are fetched. */
export interface FetchOptions {
  /** Whether this machine and private networks are allowed, and HTTP without TLS. */
  readonly allowPrivate: boolean;
  /** Headers, such as credentials, by the origin that gets them. */
  readonly headers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Milliseconds for one document, with its redirects. */
  readonly timeoutMs: number;
  /** Milliseconds for all documents. */
  readonly totalTimeoutMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves names. Default: that of the system. */
  readonly lookup?: LookupAll;
}

/** Resolves a name to all of its addresses. */
export type LookupAll = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The maximum number of redirects to one document. */
const maxRedirects = 5;

/**
 * Creates the function that fetches documents. It connects to the addresses that it has checked, whatever a name
 * resolves to afterwards.
 */
export function createFetchDocument(options: FetchOptions): FetchDocument {
  const end = AbortSignal.timeout(options.totalTimeoutMs);
  return async (address, maxBytes) => {
    const deadline = AbortSignal.any([end, AbortSignal.timeout(options.timeoutMs)]);
    let url = address;
    for (let redirects = 0; ; redirects++) {
      const response = await request(url, options, deadline);
      const next = redirectOf(response, url);
      if (next === undefined)
        return { base: url, bytes: await readAll(response, url, maxBytes, deadline) };
      response.destroy();
      if (redirects === maxRedirects)
        throw refused(url, `redirects more than ${maxRedirects} times`);
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw refused(url, `redirects to \`${withoutQuery(next)}\`, without TLS`);
      url = next;
    }
  };
}

function request(url: URL, options: FetchOptions, deadline: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivate, environment } = options;
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused(url, `has the scheme \`${url.protocol}\`, which is not fetched`);
  if (url.protocol === 'http:' && !allowPrivate)
    throw refused(url, 'is not fetched without TLS. Use https, or add --allow-private');
  const proxy = proxyOf(url, environment);
  if (proxy !== undefined && !allowPrivate)
    throw refused(
      url,
      `would be fetched through the proxy of ${proxy}, which hides the address that is connected to. Add --allow-private to use the proxy, or unset NODE_USE_ENV_PROXY`,
    );
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0 && !allowPrivate && isPrivateAddress(host)) throw isPrivate(url, host);
  const { request: send, Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({
    keepAlive: false,
    ...(proxy === undefined ? {} : { proxyEnv: { ...environment } }),
  });
  const settings: RequestOptions = {
    agent,
    signal: deadline,
    lookup: toLookup(url, options),
    maxHeaderSize: 65_536,
    headers: {
      accept: 'application/yaml, application/json, text/yaml, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'countersign',
      ...options.headers.get(url.origin),
    },
  };
  return new Promise((resolve, reject) => {
    const sent = send(url, settings, resolve);
    sent.on('error', (error) => {
      reject(
        error instanceof CommandError
          ? error
          : toFailure(url, error, deadline, options.environment),
      );
    });
    if (!allowPrivate)
      sent.on('socket', (socket) => {
        // The lookup has checked each address. This also holds for an agent that would connect otherwise.
        socket.on('connect', () => {
          const { remoteAddress = '' } = socket;
          if (isPrivateAddress(remoteAddress)) socket.destroy(isPrivate(url, remoteAddress));
        });
      });
    sent.end();
  });
}

/** Returns the lookup of a connection: an error where one of the addresses of a name is private. */
function toLookup(url: URL, { allowPrivate, lookup = lookupAll }: FetchOptions): LookupFunction {
  return (name, options, done) => {
    lookup(name, (error, addresses) => {
      const [first] = addresses;
      const privateAddress = allowPrivate
        ? undefined
        : addresses.find(({ address }) => isPrivateAddress(address));
      if (error !== null || first === undefined)
        done(error ?? new Error('The name has no address.'), '', 4);
      else if (privateAddress !== undefined) done(isPrivate(url, privateAddress.address), '', 4);
      else if (options.all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    });
  };
}

const lookupAll: LookupAll = (name, done) => {
  systemLookup(name, { all: true }, (error, addresses) => {
    done(error, error === null ? addresses : []);
  });
};

function redirectOf(response: IncomingMessage, from: URL): URL | undefined {
  const { statusCode = 0, headers } = response;
  if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
    if (statusCode === 200) return undefined;
    response.destroy();
    const hint =
      statusCode === 401 || statusCode === 403 || statusCode === 404
        ? '. If it requires credentials, send them with --header-env'
        : '';
    throw refused(from, `answers ${statusCode}${hint}`);
  }
  if (!URL.canParse(headers.location, from)) throw refused(from, 'redirects to an invalid URL');
  const to = new URL(headers.location, from);
  // A server must not choose the credentials that another one gets.
  to.username = '';
  to.password = '';
  return to;
}

async function readAll(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  deadline: AbortSignal,
): Promise<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    response.destroy();
    throw refused(url, `is sent with the content encoding \`${encoding.slice(0, 20)}\``);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw refused(url, `has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    response.destroy();
    throw error instanceof CommandError ? error : toFailure(url, error, deadline);
  }
  return Buffer.concat(chunks);
}

/** Returns the name of the variable with the proxy that Node would use for an address. */
function proxyOf(url: URL, environment: FetchOptions['environment']): string | undefined {
  if (environment['NODE_USE_ENV_PROXY'] !== '1') return undefined;
  const names =
    url.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  return names.find((name) => (environment[name] ?? '') !== '');
}

function isPrivate(url: URL, address: string): CommandError {
  return refused(
    url,
    `leads to ${address}, which is not an address of the internet. Add --allow-private to allow it`,
  );
}

function refused(url: URL, reason: string): CommandError {
  return new CommandError('pull-refused', `Nothing was written: ${withoutQuery(url)} ${reason}.`);
}

function toFailure(
  url: URL,
  error: unknown,
  deadline: AbortSignal,
  environment: FetchOptions['environment'] = {},
): CommandError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const reason = deadline.aborted ? 'was not received in time' : `cannot be fetched (${code})`;
  const ignoresProxy =
    (environment['HTTPS_PROXY'] ?? '') !== '' && environment['NODE_USE_ENV_PROXY'] !== '1';
  const hint = ignoresProxy
    ? '. Node uses the proxy of HTTPS_PROXY if NODE_USE_ENV_PROXY is 1'
    : '';
  return new CommandError(
    'pull-failed',
    `Nothing was written: ${withoutQuery(url)} ${reason}${hint}.`,
    { cause: error },
  );
}
