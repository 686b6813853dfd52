import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Run } from '../cli/project.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { repository } from '../targets/emit-project.ts';

/** The folder of the examples. */
export const examples: string = join(repository, 'examples');

/** Generates the code of an example, as its README says, and returns its folder. */
export async function generateExample(name: string): Promise<string> {
  const folder = join(examples, name);
  const { code, error } = await runInProcess(folder, ['generate']);
  if (code !== 0) throw new Error(`generate ended with ${code}: ${error}`);
  return folder;
}

/** Generates the code of an example, and imports the application. */
export async function openExample<App>(name: string): Promise<App> {
  const folder = await generateExample(name);
  return (await import(pathToFileURL(join(folder, 'src/app.ts')).href)) as App;
}

/** Returns the codes of the refusals that an example has logged, each of which is its only line about a delivery. */
export function refusals(log: readonly string[]): readonly (string | undefined)[] {
  return log.map((line) => /^refused ([a-z-]+): delivery [\w-]+$/u.exec(line)?.[1]);
}

/** A server of an example, and what it has logged. */
export interface Serving extends AsyncDisposable {
  readonly origin: string;
}

/** Starts a server at a free port of this machine. */
export async function serve(server: Server): Promise<Serving> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a delivery, and returns the response with its text. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string; readonly type: string | null }> {
  const response = await fetch(url, { method: 'POST', body, headers });
  const type = response.headers.get('content-type');
  return { status: response.status, text: await response.text(), type };
}

/**
 * Sends an example of the contract, as the README of an example says, to another address. Returns the exit code and what
 * is printed.
 * @param kind the kind that is sent in place of that of the README
 */
export async function sendAsShown(
  name: string,
  to: string,
  secret: string,
  kind?: string,
): Promise<Run> {
  const folder = join(repository, 'examples', name);
  const page = await readFile(join(folder, 'README.md'), 'utf8');
  const [, variable = '', line = ''] =
    /^(\w+)=\S+ npx -c 'node \.\.\/\.\.\/generator\/cli\.ts (send .*)'$/mu.exec(page) ?? [];
  const words = line.split(' ').map((word) => (word.startsWith('http:') ? to : word));
  if (kind !== undefined) words[1] = kind;
  return await runInProcess(folder, words, { [variable]: secret });
}
