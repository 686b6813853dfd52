import { addQuery } from './secret-places.ts';
import { SimulatorError } from './simulator-error.ts';
import {
  type Address,
  assertNotRemote,
  chooseAddress,
  type Resolve,
  systemResolve,
} from './loopback.ts';

/** The integrator's side, which deliveries are sent to. */
export interface Receiver {
  /** The base address. */
  readonly base: URL;
  /** Returns the URL of a path and query below the base address. */
  readonly resolve: (path: string) => URL;
  /**
   * Returns the address to connect to. The host is resolved once; one without an address is resolved again at the next
   * call, because the receiver may be started later.
   * @throws SimulatorError `not-loopback`, `unknown-host`
   */
  readonly address: () => Promise<Address>;
}

/**
 * Reads the base address of a receiver.
 * @param pathSecret a segment behind the path of the address, which `base` does not have
 * @throws SimulatorError `invalid-option`, and `not-loopback` for the IP address of another machine
 */
export function readReceiver(
  to: string | URL,
  allowsRemote: boolean,
  resolve: Resolve = systemResolve,
  pathSecret?: string,
): Receiver {
  if (!URL.canParse(to))
    throw new SimulatorError('invalid-option', "The receiver's address is not an absolute URL.");
  const base = new URL(to);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw new SimulatorError('invalid-option', "The receiver's address must use http or https.");
  if (base.username !== '' || base.password !== '')
    throw new SimulatorError(
      'invalid-option',
      "The receiver's address must not contain a user name or password. Set `authentication.headers`.",
    );
  base.hash = '';
  if (!allowsRemote) assertNotRemote(base);
  const registered = pathSecret === undefined ? base : withPathSecret(base, pathSecret);
  if (registered === undefined)
    throw new SimulatorError(
      'invalid-option',
      'The secret in the path must be one segment of it: without `/` and `\\`, and not `.` or `..`.',
    );
  let address: Promise<Address> | undefined;
  return {
    base,
    resolve: (path) => urlBelow(registered, path),
    async address() {
      address ??= chooseAddress(base, allowsRemote, resolve);
      try {
        return await address;
      } catch (error) {
        address = undefined;
        throw error;
      }
    },
  };
}

/** Returns the URL of a path and query below an address. */
export function urlBelow(registered: URL, path: string): URL {
  if (path === '') return registered;
  const [below = '', query = ''] = path.split(/\?(.*)/su);
  const url = addQuery(registered, query);
  if (below !== '')
    url.pathname =
      registered.pathname.replace(/\/$/u, '') + (below.startsWith('/') ? below : `/${below}`);
  return url;
}

/** Returns a URL with a segment behind its path, or `undefined` for a text that is not one segment. */
export function withPathSecret(base: URL, secret: string): URL | undefined {
  if (secret === '' || /[/\\]/u.test(secret) || !secret.isWellFormed()) return undefined;
  const url = new URL(base);
  const path = `${base.pathname.replace(/\/$/u, '')}/${encodeURIComponent(secret)}`;
  url.pathname = path;
  return url.pathname === path ? url : undefined;
}

/** Returns the segments of a URL's path, as they are written and decoded, of which one can be a secret. */
export function possibleSecrets({ pathname }: URL): readonly string[] {
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap((segment) => {
      try {
        return [segment, decodeURIComponent(segment)];
      } catch {
        return [segment];
      }
    });
}
