import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { compile } from '../../targets/compile.ts';
import { expectedKinds, fromSource } from './own-contract.ts';

/** Type-checks an application with an inbox, runs its tests, and expects that the worker handled each event once. */
export async function expectToWork(
  application: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  await compile('ts7', application, ['-p', '.', '--noEmit', ...fromSource]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', '--test', '--test-reporter=tap', 'test/**/*.test.ts'],
    { cwd: application, env: environment },
  );
  expect(stdout).toContain('# fail 0\n');
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

/** A worker of a scaffolded application, as a process of its own. */
export interface RunningWorker {
  readonly process: ChildProcess;
  /** Returns what it has written so far. */
  readonly log: () => string;
  readonly exited: Promise<unknown>;
}

/** Starts the worker of an application. */
export async function startWorker(
  application: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningWorker> {
  const child = spawn(process.execPath, ['--conditions=countersign-source', 'src/worker.ts'], {
    cwd: application,
    env: { WORKER_PORT: '0', ...environment },
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
export async function replaceIn(
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
