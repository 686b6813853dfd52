import type { Address, Resolve } from '@countersign/simulator/sending';
import { CommandError } from '../command-error.ts';
import { importSending } from './import-sending.ts';

export type { Address, Resolve } from '@countersign/simulator/sending';

/**
 * Returns the address to connect to for a URL, as the simulator chooses it: a loopback address, unless remote hosts are
 * allowed.
 * @param resolve resolves a host name. Default: the resolver of the operating system
 * @throws CommandError `not-loopback`, `unknown-host`
 */
export async function chooseAddress(
  url: URL,
  allowsRemote: boolean,
  resolve?: Resolve,
): Promise<Address> {
  const sending = await importSending();
  try {
    const hint = 'To send there, pass --allow-remote.';
    return await sending.chooseAddress(url, allowsRemote, resolve ?? sending.systemResolve, hint);
  } catch (error) {
    if (!(error instanceof sending.SimulatorError)) throw error;
    throw new CommandError(error.code, error.message, { cause: error });
  }
}
