import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deliver } from '@instant-payment/webhooks/testing';
import { expect } from 'vitest';
import { compile } from '../../../targets/compile.ts';
import { expectedKinds, fromSource, writeAllHandlers } from './own-contract.ts';
import { freePort, startApplication } from './start-application.ts';

/**
 * Type-checks an application with an inbox, runs its tests, and expects that the worker completed no event. Then writes
 * its handlers, and expects that the worker handles each event once.
 */
export async function expectToWork(
  application: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const runTests = async (): Promise<string> => {
    await compile('ts7', application, ['-p', '.', '--noEmit', ...fromSource]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=countersign-source', '--test', '--test-reporter=tap', 'test/**/*.test.ts'],
      { cwd: application, env: environment },
    );
    expect(stdout).toContain('# fail 0\n');
    return stdout;
  };
  const fresh = await runTests();
  // The delivery test and the one with the simulator: the receiver has stored what the worker keeps.
  expect(fresh).toContain('# todo 2\n');
  const [, todo = ''] =
    /each stored event once # TODO not written yet: the handlers of (.*)$/mu.exec(fresh) ?? [];
  expect(todo.split(', ').toSorted()).toEqual([...new Set(await expectedKinds())].toSorted());
  expect(fresh).not.toContain('handled ');
  expect(await writeAllHandlers(application)).toBeGreaterThan(10);
  const stdout = await runTests();
  expect(stdout).toContain('# todo 0\n');
  const [delivered = '', simulated = ''] = stdout.split(/^ok 1 - the application$/mu);
  expect(stdout).toContain('in spite of its faults');
  const handled = Array.from(delivered.matchAll(/handled (\w+) (\S+)/gu));
  expect(handled.map(([, kind = '']) => kind).toSorted()).toEqual(
    (await expectedKinds()).toSorted(),
  );
  for (const text of [delivered, simulated]) {
    const ids = Array.from(text.matchAll(/handled \w+ (\S+)/gu), ([, id]) => id);
    expect(ids.length).toBeGreaterThan(30);
    expect(new Set(ids).size).toBe(ids.length);
  }
}

/** The number of rows, and of different events, in the table `booked` of the application. */
export type CountBooked = () => Promise<{ readonly rows: number; readonly events: number }>;

/**
 * Delivers events while no worker runs, kills a worker in its work, and expects that another one applies the effect of
 * each event once.
 * @param handler the source of a handler that writes `begins`, and inserts its `id` into `booked`
 */
export async function expectEffectsOnce(
  application: string,
  environment: Readonly<Record<string, string>>,
  handler: string,
  countBooked: CountBooked,
): Promise<void> {
  await writeFile(join(application, 'src/handlers/charge.ts'), handler);
  await replaceIn(application, 'src/worker.ts', '  inbox,\n', '  inbox,\n  leaseMs: 1000,\n');
  await compile('ts7', application, ['-p', '.', '--noEmit', ...fromSource]);
  const settings = { WEBHOOK_SECRET: 'a secret', ...environment };
  const [PORT, PROBES_PORT, WORKER_PORT] = await freePorts();
  const receiver = await startApplication(application, { ...settings, PORT, PROBES_PORT });
  const count = 12;
  for (let index = 0; index < count; index++) {
    const headers = { 'x-webhook-secret': 'a secret' };
    const response = await fetch(await deliver('charge', { url: receiver.url, headers }));
    expect(response.status).toBe(200);
  }
  // A receiver is ready without a worker.
  expect(await readiness(PROBES_PORT)).toMatchObject({
    ready: true,
    backlog: count,
    lastFailure: null,
  });
  await receiver.stop();

  const killed = await startWorker(application, settings);
  await expect.poll(() => killed.log(), { timeout: 30_000 }).toContain('begins');
  killed.process.kill('SIGKILL');
  await killed.exited;
  expect((await countBooked()).rows).toBeLessThan(count);

  const worker = await startWorker(application, { ...settings, WORKER_PORT });
  await expect
    .poll(async () => await readiness(WORKER_PORT))
    .toMatchObject({ ready: true, deadLetters: 0 });
  await expect.poll(countBooked, { timeout: 30_000 }).toEqual({ rows: count, events: count });
  worker.process.kill('SIGTERM');
  expect(await worker.exited).toEqual([0, null]);
  expect(await countBooked()).toEqual({ rows: count, events: count });
  const begun = (killed.log() + worker.log()).match(/begins/gu) ?? [];
  expect(begun.length).toBeGreaterThan(count);
}

async function freePorts(): Promise<readonly [string, string, string]> {
  return [String(await freePort()), String(await freePort()), String(await freePort())];
}

async function readiness(port: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
  return await response?.json();
}

/** A worker of a scaffolded application, as a process of its own. */
interface RunningWorker {
  readonly process: ChildProcess;
  /** Returns what it has written so far. */
  readonly log: () => string;
  readonly exited: Promise<unknown>;
}

/** Starts the worker of an application. */
async function startWorker(
  application: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningWorker> {
  const child = spawn(process.execPath, ['--conditions=countersign-source', 'src/worker.ts'], {
    cwd: application,
    env: { WORKER_PORT: '0', PROBES_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const exited = once(child, 'exit');
  await expect.poll(() => log, { timeout: 30_000 }).toContain('handles stored deliveries');
  return { process: child, log: () => log, exited };
}

/** Replaces text in a file of an application. */
async function replaceIn(
  application: string,
  path: string,
  before: string,
  after: string,
): Promise<void> {
  const file = join(application, path);
  const text = await readFile(file, 'utf8');
  expect(text).toContain(before);
  await writeFile(file, text.replace(before, after));
}
