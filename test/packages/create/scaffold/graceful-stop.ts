import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '@instant-payment/webhooks/testing';
import { expect } from 'vitest';
import { writeHandlers } from '../../../targets/stubs/write-handlers.ts';
import { freePort, startApplication, type RunningApplication } from './start-application.ts';

/** Makes the handler of charges write `begins`, wait, and write `ends`. */
export async function slowDown(application: string, milliseconds: number): Promise<void> {
  const file = join(application, 'src/handlers/charge.ts');
  const text = await readFile(file, 'utf8');
  const slow = writeHandlers(text)
    .replace(/setTimeout\(resolve, \d+\)/u, `setTimeout(resolve, ${milliseconds})`)
    .replace('export function', 'export async function')
    .replace('  handle(', '  async handle(')
    .replace(
      '): void {',
      `): Promise<void> {
  console.log('begins');
  await new Promise((resolve) => setTimeout(resolve, ${milliseconds}));
  console.log('ends');`,
    );
  expect(slow).toContain('Promise<void>');
  await writeFile(file, slow);
}

/** Starts an application on a free port. */
export async function startSlow(
  application: string,
  main: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningApplication> {
  const PORT = String(await freePort());
  const settings = {
    WEBHOOK_SECRET: 'a secret',
    WORKER_PORT: '0',
    PROBES_PORT: '0',
    PORT,
    ...environment,
  };
  return await startApplication(application, settings, main);
}

/** Sends a charge over a connection that stays open. Returns the status of its answer. */
export async function sendCharge(url: string, agent: Agent): Promise<number | undefined> {
  const headers = { 'x-webhook-secret': 'a secret' };
  const delivery = await deliver('charge', { url, headers });
  const sent = request(delivery.url, {
    agent,
    method: delivery.method,
    headers: Object.fromEntries(delivery.headers),
  });
  sent.end(Buffer.from(await delivery.arrayBuffer()));
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/**
 * Sends a delivery to a slow handler, and a signal while it runs. Expects its answer, the end of its handler, and the
 * exit code 0, although connections are open: one that has had a request, one that never had one, and one with a part
 * of a request.
 */
export async function expectGracefulStop(
  application: string,
  main: string,
  signal: 'SIGINT' | 'SIGTERM',
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const running = await startSlow(application, main, environment);
  const { url, log, exitCode } = running;
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const unused = connect(Number(port), hostname);
  unused.on('error', () => undefined);
  const begun = connect(Number(port), hostname);
  begun.on('error', () => undefined);
  try {
    await once(unused, 'connect');
    await once(begun, 'connect');
    begun.write(`POST / HTTP/1.1\r\nhost: ${hostname}\r\n`);
    const used = request(url, { agent, method: 'POST' });
    used.end('{}');
    const [refused] = await once(used, 'response');
    refused.resume();
    await once(refused, 'end');
    const answered = sendCharge(url, new Agent({ keepAlive: true }));
    await expect.poll(log, { timeout: 20_000 }).toContain('begins');
    running.signal(signal);
    // npm passes on a signal that the process also gets from the terminal.
    await sleep(100);
    running.signal(signal);
    expect(await answered).toBe(200);
    // The grace of 20 seconds is for handlers, not for connections without requests.
    const ended = Promise.race([exitCode, sleep(12_000, 'still open', { ref: false })]);
    expect(await ended, log()).toBe(0);
    expect(log()).toContain('ends');
  } finally {
    agent.destroy();
    unused.destroy();
    begun.destroy();
    await running.stop();
  }
}

/** Stops an application whose handler takes longer than the grace. Expects the end of its connection, and exit code 0. */
export async function expectStopAfterGrace(application: string, main: string): Promise<void> {
  const file = join(application, 'src/stop.ts');
  const text = await readFile(file, 'utf8');
  const short = text.replace('graceMs = 20_000', 'graceMs = 500');
  expect(short).not.toBe(text);
  await writeFile(file, short);
  const running = await startSlow(application, main);
  const { url, log, exitCode } = running;
  try {
    const answered = sendCharge(url, new Agent({ keepAlive: true })).catch(() => 'ended');
    await expect.poll(log, { timeout: 20_000 }).toContain('begins');
    running.signal('SIGTERM');
    const ended = Promise.race([exitCode, sleep(12_000, 'still open', { ref: false })]);
    expect(await ended, log()).toBe(0);
    expect(await answered).toBe('ended');
    expect(log()).not.toContain('ends');
  } finally {
    await running.stop();
  }
}
