import { CommandError, toCommandError } from 'countersign/companion/terminal';
import { optional } from 'countersign/companion/values';
import { exchange as exchangeRequest } from '../sending/exchange.ts';
import {
  type Address,
  chooseAddress as chooseAllowed,
  type Resolve,
  systemResolve,
} from '../sending/loopback.ts';
import type { SignedRequest } from '../sending/sign-request.ts';
import { helpWithTls, type TlsSettings } from './tls-help.ts';

/**
 * Returns the address to connect to for a URL, as the simulator chooses it: a loopback address, unless remote hosts are
 * allowed.
 * @param resolve resolves a host name. Default: the resolver of the operating system
 * @throws CommandError `not-loopback`, `unknown-host`
 */
export async function chooseAddress(
  url: URL,
  allowsRemote: boolean,
  resolve: Resolve = systemResolve,
): Promise<Address> {
  try {
    const hint = 'To send there, pass --allow-remote.';
    return await chooseAllowed(url, allowsRemote, resolve, hint);
  } catch (error) {
    throw toCommandError(error);
  }
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
  readonly durationMs: number;
}

/**
 * Sends a request to an address that was resolved before, without resolving the host again. Does not follow redirects
 * or use a proxy.
 * @param timeoutMs milliseconds
 * @param tls used for `https:` URLs alone
 * @throws CommandError `unreachable`, `timeout`
 */
export async function exchange(
  request: SignedRequest,
  address: Address,
  timeoutMs: number,
  tls: TlsSettings = {},
): Promise<DeliveryResponse> {
  const { response, error, cause, durationMs } = await exchangeRequest(request, {
    address,
    timeoutMs,
    ...optional('ca', tls.ca),
  });
  if (response !== undefined) {
    const { rawHeaders, ...rest } = response;
    return { ...rest, headers: joinHeaders(rawHeaders), durationMs };
  }
  if (error === 'timeout')
    throw new CommandError('timeout', `No response arrived within ${timeoutMs} ms.`, { cause });
  const code = cause !== undefined && 'code' in cause ? ` (${String(cause.code)})` : '';
  const { url, certificate } = request;
  const settings = { ...tls, ...optional('certificate', certificate) };
  const help = url.protocol === 'https:' ? helpWithTls(cause, settings) : undefined;
  const message = [`${url.host} cannot be reached${code}.`, help].filter(Boolean).join(' ');
  throw new CommandError('unreachable', message, { cause });
}

function joinHeaders(rawHeaders: readonly string[]): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}
