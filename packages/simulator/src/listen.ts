import type { Server } from 'node:http';
import { isLoopbackHost } from './sending/loopback.ts';
import { SimulatorError } from './sending/simulator-error.ts';

/** Where a server listens. */
export interface ListenOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** Allows addresses other than this machine's. Default: false. */
  readonly allowRemote?: boolean;
}

/**
 * Starts to listen, and returns the base URL for callers on this machine.
 * @throws SimulatorError `not-loopback` for another address without `allowRemote`, `port-in-use`, and `invalid-option`
 *   for an address that cannot be listened on
 */
export async function listen(
  server: Server,
  { host = '127.0.0.1', port = 0, allowRemote = false }: ListenOptions,
): Promise<string> {
  if (!allowRemote && !isLoopbackHost(host))
    throw new SimulatorError(
      'not-loopback',
      `The host "${host}" is not this machine. Set allowRemote to listen on it.`,
    );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toSimulatorError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  // The unspecified addresses are none to connect to.
  const isUnspecified = host === '0.0.0.0' || host === '::';
  return `http://${isUnspecified ? '127.0.0.1' : bracket(host)}:${actual}`;
}

/** Returns a host as URLs write it: an IPv6 address is in brackets. */
export function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function toSimulatorError(error: Error, host: string, port: number): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new SimulatorError(
      'port-in-use',
      `The port ${port} is in use by another process. Stop that process, or choose another port (0 for a free one).`,
      { cause: error },
    );
  return new SimulatorError(
    'invalid-option',
    `The simulator cannot listen on "${host}" with the port ${port}.`,
    { cause: error },
  );
}
