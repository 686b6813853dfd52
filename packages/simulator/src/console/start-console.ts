import {
  type Console,
  createGuard,
  loadPage,
  type PageFiles,
  serve,
} from '@countersign/console/frame';
import { bracket, listen } from '../listen.ts';
import { SimulatorError } from '../sending/simulator-error.ts';
import type { Simulator } from '../simulator.ts';
import { createConsoleApp } from './console-app.ts';

export type { Console } from '@countersign/console/frame';

/** The options of a console. */
export interface ConsoleOptions {
  /** The TCP port; 0, the default, chooses a free one. */
  readonly port?: number;
  /** The address to listen on. Default: `127.0.0.1`. Others require `allowRemote`. */
  readonly host?: string;
  /** Allows to listen on addresses other than this machine's. Default: false. */
  readonly allowRemote?: boolean;
  /** Further names of this machine, without port, under which the console is opened. They require `allowRemote`. */
  readonly hostNames?: readonly string[];
  /** The receivers that can be chosen, besides the one of the simulator. */
  readonly targets?: readonly (string | URL)[];
  /** The bearer token of the control API, for programs. Default: the API serves sessions of browsers alone. */
  readonly controlToken?: string;
  /** The files of the page. Default: those of this package. */
  readonly page?: PageFiles;
}

/** The names of this machine under which every console is opened. */
const ownNames = ['127.0.0.1', 'localhost', '::1'];

/**
 * Starts the console of a simulator, on a port of its own.
 * @throws SimulatorError `invalid-option`, `not-loopback`, `port-in-use`
 */
export async function startConsole(
  simulator: Simulator,
  options: ConsoleOptions = {},
): Promise<Console> {
  const { port = 0, host = '127.0.0.1', allowRemote = false, hostNames = [] } = options;
  if (!allowRemote && hostNames.length > 0)
    throw new SimulatorError(
      'not-loopback',
      'The console listens on this machine only. Set allowRemote to open it under other names.',
    );
  const targets = [...(options.targets ?? []), simulator.to ?? []].flat().map(toTarget);
  const names = [...ownNames, host, ...hostNames].map(bracket);
  let hosts: readonly string[] = [];
  const guard = createGuard(() => hosts, options.controlToken);
  const app = createConsoleApp(
    {
      simulator,
      guard,
      targets: [...new Set(targets)],
      redact: simulator.redact,
      cleared: new Set(),
    },
    options.page ?? (await loadPage(places)),
  );
  return await serve(app, guard, async (server) => {
    const url = await listen(server, { port, host, allowRemote });
    const { port: listening } = new URL(url);
    // Port 80 is not in the header Host, and not in the parsed URL.
    hosts = names.map((name) => name.toLowerCase() + (listening === '' ? '' : `:${listening}`));
    return url;
  });
}

const places = {
  built: new URL('page/', import.meta.url),
  bundler: new URL('../../bundle-console.ts', import.meta.url),
};

function toTarget(target: string | URL): string {
  const url = URL.parse(String(target));
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw new SimulatorError('invalid-option', 'A receiver must be an absolute http or https URL.');
}
