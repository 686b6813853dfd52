import type { Server } from 'node:http';
import { SimulatorError } from '../simulator-error.ts';
import type { SimulatorOptions } from '../simulator.ts';

/**
 * Starts to listen, and returns the base URL.
 * @throws SimulatorError `not-loopback` for another address without `allowRemote`, and `port-in-use`
 */
export async function listen(
  server: Server,
  { host = '127.0.0.1', port = 0, allowRemote = false }: SimulatorOptions,
): Promise<string> {
  if (!allowRemote && !isLoopback(host))
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
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${actual}`;
}

/** Returns whether a host is an address of this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

function toSimulatorError(error: Error, host: string, port: number): Error {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new SimulatorError(
      'port-in-use',
      `The port ${port} is in use by another process. Choose another port, or 0 for a free one.`,
      { cause: error },
    );
  return new SimulatorError(
    'invalid-option',
    `The simulator cannot listen on "${host}" with the port ${port}.`,
    { cause: error },
  );
}
