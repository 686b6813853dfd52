import { request } from 'node:http';
import {
  startConsole,
  type Console,
  type ConsoleOptions,
} from '../../../../packages/simulator/src/index.ts';
import { createFakeSimulator, type FakeOptions, type FakeSimulator } from './fake-simulator.ts';

/** A response, with its body as JSON where it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** The page of tests that need none. */
export const emptyPage: ReadonlyMap<string, string> = new Map([
  ['index.html', '<!doctype html><title>Console</title>'],
  ['secret.txt', 'not served'],
]);

/** A console of a fake simulator, and a caller with the control token. */
export interface TestConsole extends AsyncDisposable {
  readonly simulator: FakeSimulator;
  readonly console: Console;
  readonly controlToken: string;
  /** Sends a request with the headers of a program that has the control token. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a request with exactly these headers. */
  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer>;
}

/** Starts a console of a fake simulator. */
export async function startTestConsole(
  options: ConsoleOptions & { readonly fake?: FakeOptions } = {},
): Promise<TestConsole> {
  const { fake, ...rest } = options;
  const simulator = createFakeSimulator(fake);
  const controlToken = 'control-token-of-the-tests';
  const console = await startConsole(simulator, { page: emptyPage, controlToken, ...rest });
  const send: TestConsole['send'] = async (method, path, headers, body) =>
    await sendRaw(new URL(path, console.url), method, headers, body);
  return {
    simulator,
    console,
    controlToken,
    send,
    call: async (method, path, body) =>
      await send(
        method,
        path,
        {
          authorization: `Bearer ${controlToken}`,
          'x-countersign-console': '1',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    async [Symbol.asyncDispose]() {
      await console.close();
      await simulator.close();
    },
  };
}

/** Sends a request through `node:http`, because `fetch` forbids to set `Host` and `Origin`. */
async function sendRaw(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, async (response) => {
      response.setEncoding('utf8');
      let text = '';
      for await (const chunk of response) text += String(chunk);
      const isJson = /^application\/json(?:;|$)/u.test(response.headers['content-type'] ?? '');
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        text,
        json: isJson && text !== '' ? JSON.parse(text) : undefined,
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
