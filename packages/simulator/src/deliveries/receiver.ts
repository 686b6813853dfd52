import { SimulatorError } from '../simulator-error.ts';
import {
  type Address,
  assertNotRemote,
  chooseAddress,
  type Resolve,
  systemResolve,
} from '../loopback.ts';

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
 * @throws SimulatorError `invalid-option`, and `not-loopback` for the IP address of another machine
 */
export function readReceiver(
  to: string | URL,
  allowsRemote: boolean,
  resolve: Resolve = systemResolve,
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
  let address: Promise<Address> | undefined;
  return {
    base,
    resolve(path) {
      if (path === '') return base;
      const [below = '', query = ''] = path.split(/\?(.*)/su);
      const url = new URL(base);
      url.pathname =
        base.pathname.replace(/\/$/u, '') + (below.startsWith('/') ? below : `/${below}`);
      const queries = [base.search.slice(1), query].filter((one) => one !== '');
      url.search = queries.join('&');
      return url;
    },
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
