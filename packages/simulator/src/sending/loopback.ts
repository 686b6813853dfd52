import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { SimulatorError } from './simulator-error.ts';

/** An IP address to connect to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Milliseconds that the resolver of the operating system may take, which has long limits of its own. */
const maxResolveMs = 10_000;

/** Resolves a host name with the resolver of the operating system. Rejects where that takes too long. */
export const systemResolve: Resolve = async (host) => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`${host} was not resolved.`)), maxResolveMs);
  const addresses = await Promise.race([lookup(host, { all: true }), late.promise]).finally(() =>
    clearTimeout(timer),
  );
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether an address is a loopback address. `0.0.0.0` and `::` are not: they are not destination addresses. */
function isLoopback({ address, family }: Address): boolean {
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether a host to listen on, a name or an IP address, is of this machine only. */
export function isLoopbackHost(host: string): boolean {
  const family = isIP(host);
  return family === 4 || family === 6
    ? isLoopback({ address: host, family })
    : host === 'localhost';
}

/**
 * Returns the address to connect to for a URL. All addresses of the host must be loopback addresses, unless remote
 * hosts are allowed. The caller must connect to the returned address, because the name can resolve to another one
 * later.
 * @param hint how the user allows other hosts, as the end of the message
 * @throws SimulatorError `not-loopback`, `unknown-host`
 */
export async function chooseAddress(
  url: URL,
  allowsRemote: boolean,
  resolve: Resolve,
  hint: string = sendingHint,
): Promise<Address> {
  const advice = allowsRemote ? '' : ` Only hosts of this machine are allowed. ${hint}`;
  const addresses = await addressesOf(url, resolve, advice);
  const [first] = addresses;
  if (first === undefined)
    throw new SimulatorError('unknown-host', `${url.hostname} has no address.${advice}`);
  if (!allowsRemote) assertLoopback(url, addresses, hint);
  return first;
}

/**
 * Checks that all addresses of the host of a URL are loopback addresses.
 * @param hint how the user allows other hosts, as the end of the message
 * @throws SimulatorError `not-loopback`
 */
function assertLoopback(url: URL, addresses: readonly Address[], hint: string): void {
  if (addresses.every(isLoopback)) return;
  const listed = addresses.map(({ address }) => address).join(', ');
  const resolved = listed === url.hostname ? '' : ` (${listed})`;
  const advice = addresses.some(({ address }) => address === '0.0.0.0' || address === '::')
    ? 'To reach a server that listens on all addresses, use 127.0.0.1 or [::1].'
    : hint;
  throw new SimulatorError(
    'not-loopback',
    `${url.hostname}${resolved} is not (only) this machine. ${advice}`,
  );
}

/**
 * Checks that the host of a URL is not the IP address of another machine. A host name is checked when it is resolved.
 * @throws SimulatorError `not-loopback`
 */
export function assertNotRemote(url: URL): void {
  const address = writtenAddress(url);
  if (address !== undefined) assertLoopback(url, [address], sendingHint);
}

const sendingHint = 'To send there, allow other machines (`allowRemote`, `--allow-remote`).';

/** Returns the IP address that a URL has as its host, or `undefined` for a name. */
function writtenAddress(url: URL): Address | undefined {
  const address = hostOf(url);
  const family = isIP(address);
  return family === 4 || family === 6 ? { address, family } : undefined;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '');
}

async function addressesOf(
  url: URL,
  resolve: Resolve,
  advice: string,
): Promise<readonly Address[]> {
  const address = writtenAddress(url);
  if (address !== undefined) return [address];
  const host = hostOf(url);
  try {
    return await resolve(host);
  } catch (error) {
    throw new SimulatorError('unknown-host', `${host} has no address.${advice}`, { cause: error });
  }
}
