import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorker, type InboxStore } from '@countersign/runtime/inbox';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from './postgres/postgres-harness.ts';
import { startPostgres } from './replay/postgres-server.ts';
import { openSqlite } from './sqlite/sqlite-harness.ts';
import { receipt, type StoreHarness } from './store-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const clock = Date.now;

/** Lets processes handle what is stored, each until one of its events ends it. Returns how many were ended. */
async function endAll(
  store: InboxStore<never, never>,
  parameters: readonly string[],
): Promise<number> {
  let ends = 0;
  for (;;) {
    const child = fork(join(import.meta.dirname, 'poison-worker.fixture.ts'), parameters, {
      execArgv: ['--conditions=countersign-source'],
    });
    const exit = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    while (child.exitCode === null) {
      const { ready, working, retry } = (await store.stats()).byState;
      if (ready + working + retry === 0) break;
      await Promise.race([exit, delay(50)]);
    }
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await exit;
      return ends;
    }
    expect(child.exitCode).toBe(3);
    ends += 1;
  }
}

/** The number of processes that end for a reason outside of their handlers, one after another. */
const endedProcesses = 20;

/** Ends processes in a loop while they handle healthy events, and expects that the last one handles all of them. */
async function checkEndedProcesses<Scope, Result>(
  { store }: StoreHarness<Scope, Result>,
  parameters: readonly string[],
): Promise<void> {
  const events = 120;
  for (let number = 0; number < events; number += 1)
    await store.receive({
      ...receipt({ kind: 'healthy', orderKey: `key${number % 40}` }),
      receivedAt: clock(),
    });
  const start = (environment: Readonly<Record<string, string>>): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'poison-worker.fixture.ts'), parameters, {
      execArgv: ['--conditions=countersign-source'],
      env: { ...process.env, HANDLER_MS: '250', ...environment },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  for (let number = 0; number < endedProcesses; number += 1) {
    const lifeMs = 200 + ((number * 137) % 700);
    const [, signal] = await once(start({ END_AFTER_MS: String(lifeMs) }), 'exit');
    expect(signal).toBe('SIGKILL');
    expect((await store.stats()).byState.dead).toBe(0);
  }
  // Otherwise, the test shows nothing.
  expect((await store.stats()).interruptions).toBeGreaterThan(endedProcesses);
  const last = start({});
  await expect
    .poll(async () => (await store.stats()).byState, { timeout: 60_000, interval: 100 })
    .toMatchObject({ done: events, dead: 0, waiting: 0, retry: 0 });
  last.kill('SIGKILL');
  await once(last, 'exit');
}

async function checkPoison<Scope, Result>(
  { store }: StoreHarness<Scope, Result>,
  parameters: readonly string[],
): Promise<void> {
  for (let number = 0; number < 30; number += 1)
    await store.receive({
      ...receipt({ kind: number === 5 ? 'poison' : 'healthy', orderKey: `key${number % 20}` }),
      receivedAt: clock(),
    });
  expect(await endAll(store as InboxStore<never, never>, parameters)).toBe(5);
  const { byState, interruptions } = await store.stats();
  // The event behind the dead letter waits.
  expect(byState).toMatchObject({ done: 28, dead: 1, waiting: 1 });
  expect(interruptions).toBeGreaterThanOrEqual(5);
  expect((await store.list({ state: 'dead' })).events).toMatchObject([
    { kind: 'poison', interruptionsInRow: 5, error: 'InboxError [interrupted]' },
  ]);
}

/** Runs a worker until it has alerted as often as expected, or was killed. Returns what it wrote. */
async function alertOnce(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = fork(join(import.meta.dirname, 'poison-worker.fixture.ts'), parameters, {
    execArgv: ['--conditions=countersign-source'],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await expect.poll(() => out, { timeout: 20_000 }).toContain('alert');
  // Another call would follow after a second.
  await Promise.race([exit, delay(1500)]);
  child.kill('SIGKILL');
  await exit;
  return out;
}

/** Kills workers in `onDeadLetter`, and expects that later ones call it again until it has succeeded. */
async function checkAlerts<Scope, Result>(
  { store }: StoreHarness<Scope, Result>,
  parameters: readonly string[],
): Promise<void> {
  await store.receive({ ...receipt({ kind: 'dead' }), receivedAt: clock() });
  const [held] = await store.claim({ owner: 'test', maxEvents: 1, leaseMs: 20_000 });
  if (held === undefined) throw new Error('expected a claim');
  await store.bury(held, { error: 'broken', afterDeadLetter: 'wait' });
  for (let kills = 0; kills < 3; kills += 1)
    expect(
      await alertOnce(parameters, { END_AT_ALERT: '1', CLOCK_AHEAD_MS: `${kills * 61_000}` }),
    ).toBe('alert dead\n');
  expect(await alertOnce(parameters, { CLOCK_AHEAD_MS: `${3 * 61_000}` })).toBe('alert dead\n');
  // It was given, so that no later worker has it.
  expect(await store.claimAlert(1000)).toBeUndefined();
}

/** 500 events of one kind take a second each and fail. Another event arrives every second. */
async function checkStarvation<Scope, Result>(
  store: InboxStore<Scope, Result>,
  none: (scope: Scope) => Promise<Result>,
): Promise<void> {
  const failing = Array.from({ length: 500 }, () => ({ kind: 'failing' }));
  await store.receive({ ...receipt(...failing), receivedAt: clock() });
  const worker = createWorker({
    store,
    concurrency: 10,
    handle: async ({ kind }, scope) => {
      if (kind === 'healthy') return await none(scope);
      await delay(1000);
      throw new Error('The downstream failed');
    },
    onEvent: () => undefined,
  });
  for (let sent = 0; sent < 79; sent += 1) {
    await store.receive({ ...receipt({ kind: 'healthy' }), receivedAt: clock() });
    await delay(1000);
  }
  await expect
    .poll(async () => (await store.stats()).byState.done, { timeout: 41_000, interval: 500 })
    .toBe(79);
  await worker.close({ graceMs: 0 });
}

describe('SQLite', { timeout: 180_000 }, () => {
  test('an event that ends its process is buried, and those beside it are handled', async () => {
    await using harness = await openSqlite({ clock });
    await checkPoison(harness, [harness.path]);
  });

  test(`${endedProcesses} processes that end outside of handlers bury and block no event`, async () => {
    await using harness = await openSqlite({ clock });
    await checkEndedProcesses(harness, [harness.path]);
  });

  test('an alert about a dead letter is given although workers are killed in it', async () => {
    await using harness = await openSqlite({ clock: () => clock() + 3_600_000 });
    await checkAlerts(harness, [harness.path]);
  });

  test('healthy events are handled while many others fail and are tried again', async () => {
    await using harness = await openSqlite({ clock });
    await checkStarvation(harness.store, harness.none);
  });
});

describe.skipIf(server === undefined)('Postgres', { timeout: 180_000 }, () => {
  const url = server?.url ?? '';

  test('an event that ends its process is buried, and those beside it are handled', async () => {
    await using harness = await openPostgres(url, { clock });
    await checkPoison(harness, [url, harness.schema]);
  });

  test(`${endedProcesses} processes that end outside of handlers bury and block no event`, async () => {
    await using harness = await openPostgres(url, { clock });
    await checkEndedProcesses(harness, [url, harness.schema]);
  });

  test('an alert about a dead letter is given although workers are killed in it', async () => {
    await using harness = await openPostgres(url, { clock: () => clock() + 3_600_000 });
    await checkAlerts(harness, [url, harness.schema]);
  });

  test('healthy events are handled while many others fail and are tried again', async () => {
    await using harness = await openPostgres(url, { clock });
    // Each of the ten handlers holds a connection.
    await checkStarvation(harness.another({}, { max: 14 }), harness.none);
  });
});
