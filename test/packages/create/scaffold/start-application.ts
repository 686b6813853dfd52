import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** A scaffolded application that runs as a process of its own. */
export interface RunningApplication {
  /** The URL that it prints. */
  readonly url: string;
  /** Returns what it has written so far. */
  readonly log: () => string;
  readonly signal: (signal: 'SIGINT' | 'SIGTERM') => void;
  /** Ends it, and returns everything that it wrote to standard output and standard error. */
  readonly stop: () => Promise<string>;
  /** Resolves after it ended, with its exit code; null if a signal ended it. */
  readonly exitCode: Promise<number | null>;
}

/**
 * Starts an application that listens.
 * @param main the entry file, relative to the folder of the application
 */
export async function startApplication(
  application: string,
  environment: Readonly<Record<string, string>>,
  main: string = 'src/main.ts',
): Promise<RunningApplication> {
  const child = spawn(process.execPath, ['--conditions=countersign-source', main], {
    cwd: application,
    env: { ...compileCache(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const closed = once(child, 'close');
  const exitCode = once(child, 'exit').then(([code]) => code);
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      log += `${line}\n`;
      const [, address] = /^listening on (\S+)$/u.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    void closed.then(async () => {
      const cause = { exitCode: await exitCode };
      reject(new Error(`${application} stopped before it listened.\n${log}`, { cause }));
    });
  });
  return {
    url,
    exitCode,
    log: () => log,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill();
      await closed;
      return log;
    },
  };
}

/** The variable that names Node's cache of compiled code, with which the modules of the runtime are not compiled again. */
function compileCache(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: cache } = process.env;
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: cache };
}

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}
