import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { SendError } from './send-error.ts';

/** An address that a connection is made to. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds every address of a host name. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** Asks the system, as every program of this machine does. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether an address leads to this machine and cannot lead elsewhere; `0.0.0.0` and `::` are no addresses to call. */
export function isLoopback({ address, family }: Address): boolean {
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * The address to connect to for a URL. A name says nothing about where it leads, so what it resolves to is judged,
 * and all of that; whoever connects has to use the address and not the name.
 * @throws SendError `not-loopback`, `unknown-host`
 */
export async function chooseAddress(
  url: URL,
  allowsRemote: boolean,
  resolve: Resolve,
): Promise<Address> {
  const addresses = await addressesOf(url, resolve);
  const [first] = addresses;
  if (first === undefined) throw new SendError('unknown-host', `${url.hostname} has no address.`);
  if (allowsRemote || addresses.every(isLoopback)) return first;
  const listed = addresses.map(({ address }) => address).join(', ');
  const led = listed === url.hostname ? '' : ` (${listed})`;
  const hint = addresses.some(({ address }) => address === '0.0.0.0' || address === '::')
    ? 'Where a server listens on every address, call it at 127.0.0.1 or [::1].'
    : 'If it is meant to go there, say --allow-remote.';
  throw new SendError('not-loopback', `${url.hostname}${led} is not this machine alone. ${hint}`);
}

async function addressesOf(url: URL, resolve: Resolve): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  const family = isIP(host);
  if (family === 4 || family === 6) return [{ address: host, family }];
  try {
    return await resolve(host);
  } catch (error) {
    throw new SendError('unknown-host', `${host} has no address.`, { cause: error });
  }
}
