import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

const fixture = join(import.meta.dirname, 'engine-process.fixture.ts');

/** What a run of kills has shown. */
export interface Outcome {
  readonly acknowledged: number;
  /** Acknowledged events that were never handled. */
  readonly lost: number;
  /** Events that were handled more than once. */
  readonly repeated: number;
  /** Events that were handled for the first time after a later event of their key. */
  readonly reordered: number;
  readonly kills: number;
}

interface Engine {
  readonly name: 'rabbitmq' | 'sqs';
  readonly url: string;
  /** Ends the server of the engine, and starts it again. */
  readonly restart?: () => Promise<void>;
}

/** What is ended: `stopped` ends one of two consumers as a deployment does, and the others without notice. */
export type Victim = 'receiver' | 'consumer' | 'server' | 'stopped';

/** A program that is started again whenever it ends. */
class Restarted {
  readonly #command: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #isStopped = false;
  /** The first line that the running program has printed. */
  line: string | undefined;

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#command = command;
    this.#environment = environment;
    this.#start();
  }

  #start(): void {
    if (this.#isStopped) return;
    this.line = undefined;
    const command = ['--conditions=countersign-source', ...this.#command];
    const env = this.#environment;
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'ignore'], env });
    this.#child = child;
    createInterface(child.stdout).once('line', (line) => {
      this.line = line;
    });
    child.once('exit', () => void setTimeout(() => this.#start(), 50));
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child?.kill(signal);
  }

  async ready(): Promise<string> {
    const deadline = Date.now() + 180_000;
    while (this.line === undefined) {
      if (Date.now() > deadline)
        throw new Error(`${this.#command.join(' ')} did not start in three minutes`);
      await sleep(20);
    }
    return this.line;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

/**
 * Sends events of several keys, and among them some that end the process that handles them. Waits until every other one
 * is handled. Returns the numbers of events that were sent, and of those that end a process.
 */
export async function sendPoison(
  engine: Engine,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly healthy: number; readonly poison: number; readonly lost: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-engine-'));
  const handledFile = join(folder, 'handled');
  await writeFile(handledFile, '');
  const start = (role: string): Restarted =>
    new Restarted([fixture, role, engine.name, engine.url, handledFile], environment);
  const processes = [start('receiver')];
  try {
    const port = await processes[0]?.ready();
    const healthy: string[] = [];
    let poison = 0;
    for (let state = 1; state <= 25; state++) {
      for (const key of ['gull', 'tern', 'auk', 'skua']) {
        expect(await send(port, key, state)).toBe(true);
        healthy.push(`${key} ${state}`);
      }
      if (state % 10 === 5) {
        expect(await send(port, 'poison', state)).toBe(true);
        poison += 1;
      }
    }
    processes.push(start('consumer'));
    const handled = await whenHandled(handledFile, healthy);
    return { healthy: healthy.length, poison, lost: compare(handled, healthy).lost };
  } finally {
    await Promise.all(processes.map((each) => each.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Sends events of several keys, each again until it is acknowledged, while a receiver, a consumer or the server is killed.
 * Waits until every acknowledged event is handled, at most a minute after the last one that was.
 */
export async function killUnderLoad(
  engine: Engine,
  victim: Victim,
  kills: number,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-engine-'));
  const handledFile = join(folder, 'handled');
  await writeFile(handledFile, '');
  const start = (role: string): Restarted =>
    new Restarted([fixture, role, engine.name, engine.url, handledFile], environment);
  const receiver = start('receiver');
  const consumers = Array.from({ length: victim === 'stopped' ? 2 : 1 }, () => start('consumer'));
  const ready = async (): Promise<void> => {
    await Promise.all([receiver, ...consumers].map((each) => each.ready()));
  };
  try {
    await ready();
    const acknowledged: string[] = [];
    const over = new AbortController();
    const sendKey = async (key: string): Promise<void> => {
      for (let state = 1; !over.signal.aborted; state++) {
        while (!(await send(receiver.line, key, state))) await sleep(50);
        acknowledged.push(`${key} ${state}`);
        await sleep(10);
      }
    };
    const sending = Promise.all(Array.from({ length: 6 }, (_, index) => sendKey(`ship${index}`)));
    // A quorum queue of RabbitMQ 3.10 on a single node can stay without a leader after a kill in its first seconds.
    const restMs = victim === 'server' ? 4000 : 200;
    for (let kill = 0; kill < kills; kill++) {
      await sleep(restMs + Math.random() * 600);
      if (victim === 'server') await engine.restart?.();
      else if (victim === 'receiver') receiver.kill();
      else if (victim === 'consumer') consumers[0]?.kill();
      else consumers[kill % consumers.length]?.kill('SIGTERM');
      await ready();
    }
    over.abort();
    await sending;
    const handled = await whenHandled(handledFile, acknowledged);
    return { acknowledged: acknowledged.length, kills, ...compare(handled, acknowledged) };
  } finally {
    await Promise.all([receiver, ...consumers].map((each) => each.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function send(port: string | undefined, id: string, state: number): Promise<boolean> {
  if (port === undefined) return false;
  try {
    const response = await fetch(`http://127.0.0.1:${port}/docked`, {
      method: 'POST',
      headers: { 'x-delivery': `${id}-${state}` },
      body: JSON.stringify({ id, state }),
      signal: AbortSignal.timeout(10_000),
    });
    return response.status === 200;
  } catch {
    return false;
  }
}

async function whenHandled(
  file: string,
  acknowledged: readonly string[],
): Promise<readonly string[]> {
  let last = -1;
  let changedAt = Date.now();
  for (;;) {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const handled = lines.map((line) => line.split(' ').slice(0, 2).join(' '));
    const done = new Set(handled);
    if (acknowledged.every((event) => done.has(event))) return handled;
    if (lines.length !== last) changedAt = Date.now();
    last = lines.length;
    if (Date.now() - changedAt > 60_000) return handled;
    await sleep(100);
  }
}

function compare(
  handled: readonly string[],
  acknowledged: readonly string[],
): Omit<Outcome, 'acknowledged' | 'kills'> {
  const firsts = new Set(handled);
  const highest = new Map<string, number>();
  let reordered = 0;
  for (const event of firsts) {
    const [key = '', state] = event.split(' ');
    const before = highest.get(key) ?? 0;
    if (Number(state) < before) reordered += 1;
    else highest.set(key, Number(state));
  }
  return {
    lost: acknowledged.filter((event) => !firsts.has(event)).length,
    repeated: handled.length - firsts.size,
    reordered,
  };
}
