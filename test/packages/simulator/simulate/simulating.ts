import { createHmac, randomUUID } from 'node:crypto';
import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../../generator/cli/run.ts';
import type { Tree } from '../../../output/tree.ts';
import { repository } from '../../../targets/emit-project.ts';
import { createTranscript } from '../../../cli/watching.ts';

/** A `simulate` that runs in this process. */
export interface Simulation {
  /** Waits until it has written a text to standard output. */
  says(text: string): Promise<string>;
  /** Everything that it wrote so far to both streams. */
  readonly output: () => string;
  /** Interrupts it, and returns its exit code. */
  end(): Promise<number>;
  /** The exit code with which it ends by itself. */
  readonly ended: Promise<number>;
}

/** Makes a project with the contract of ferries. The caller removes it: tests share what it caches. */
export async function createFerryProject(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-')));
  await cp(join(repository, 'test/packages/simulator/ferry'), folder, { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  return folder;
}

/** Starts `simulate` on free ports. */
export function simulate(
  folder: string,
  parameters: readonly string[],
  environment: Tree = {},
  ask?: (prompt: string) => Promise<string | undefined>,
): Simulation {
  const interrupts: (() => void)[] = [];
  const transcript = createTranscript();
  let output = '';
  const write = (text: string): void => {
    output += text;
    transcript.add(text);
  };
  const ended = run(['simulate', '--port', '0', '--console-port', '0', ...parameters], {
    folder,
    environment,
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    untilInterrupted: () => new Promise((resolve) => interrupts.push(resolve)),
    ...(ask === undefined ? {} : { ask }),
    out: write,
    error: write,
  });
  const end = async (): Promise<number> => {
    for (const interrupt of interrupts) interrupt();
    return await ended;
  };
  onTestFinished(async () => void (await end()));
  return { says: transcript.until, output: () => output, end, ended };
}

/** What `simulate --json` writes when it has started. */
export interface Started {
  readonly url: string;
  readonly console: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

/** Waits until `simulate --json` has started. */
export async function started(simulation: Simulation): Promise<Started> {
  return JSON.parse(await simulation.says('\n}\n')) as Started;
}

/** The credentials of an integrator of ferries. */
export type FerryCredentials = Readonly<
  Record<'key' | 'secret' | 'clientId' | 'clientSecret', string>
>;

/** Calls the service of ferries with a signature. */
export async function callFerry(
  url: string,
  path: string,
  { key, secret }: Pick<FerryCredentials, 'key' | 'secret'>,
  { body, token }: { readonly body?: string; readonly token?: string } = {},
): Promise<Response> {
  const timestamp = new Date().toISOString();
  const signed = [key, timestamp, body ?? '', path.replace(/\?.*$/u, '')].join('.');
  return await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-key': key,
      'x-timestamp': timestamp,
      'x-request-id': randomUUID(),
      'x-signature': createHmac('sha256', secret).update(signed).digest('base64'),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** Obtains an access token of the service of ferries. */
export async function obtainFerryToken(
  url: string,
  credentials: FerryCredentials,
): Promise<string> {
  const body = new URLSearchParams({
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
    grant_type: 'client_credentials',
  });
  const response = await callFerry(url, '/token', credentials, { body: body.toString() });
  const answer = (await response.json()) as { readonly access_token?: string };
  return answer.access_token ?? '';
}
