import { once } from 'node:events';
import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AnsweringThread, startThread } from '../../generator/execution/thread.ts';
import { writeContract } from '../load/write-contract.ts';

it('runs a source file with its data and the folder of compiled code', async () => {
  const folder = await writeContract({
    'echo.ts': `import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
module.enableCompileCache();
const folder: string | undefined = module.getCompileCacheDir();
parentPort?.postMessage({ workerData, folder });
`,
  });
  module.enableCompileCache();
  const thread = startThread(pathToFileURL(join(folder, 'echo.ts')), { workerData: 'data' });
  expect(await once(thread, 'message')).toEqual([
    { workerData: 'data', folder: module.getCompileCacheDir() },
  ]);
});

describe('an answering thread', () => {
  const write = async (): Promise<URL> => {
    const library = new URL('../../generator/execution/thread.ts', import.meta.url);
    const folder = await writeContract({
      'answers.ts': `import { setTimeout as delay } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { answerRequests } from ${JSON.stringify(library.href)};
answerRequests(async (request: number | string) => {
  if (request === 'exit') process.exit(1);
  if (request === 'id') return threadId;
  while (request === 'endless') continue;
  if (typeof request === 'string') throw new TypeError(request);
  await delay(request);
  return \`after \${request}\`;
});
`,
    });
    return pathToFileURL(join(folder, 'answers.ts'));
  };
  const start = async (): Promise<AnsweringThread<unknown, string>> =>
    new AnsweringThread(await write());

  it('answers requests in their order, and continues after an error', async () => {
    const thread = await start();
    const ended: unknown[] = [];
    // A function cannot be cloned for the thread.
    await expect(thread.ask(() => 0)).rejects.toThrow('could not be cloned');
    const asked = [20, 'refused', 0].map(async (request) => {
      const result = await thread.ask(request).catch((error: unknown) => error);
      ended.push(result);
      return result;
    });
    expect(await Promise.all(asked)).toEqual(['after 20', new TypeError('refused'), 'after 0']);
    expect(ended).toEqual(await Promise.all(asked));
    thread.close();
  });

  it('answers more requests than it receives at once', async () => {
    const thread = await start();
    const requests = Array.from({ length: 100 }, (_, index) => index % 3);
    const asked = requests.map(async (request) => await thread.ask(request));
    // This one waits behind the others before it is refused.
    const refused = thread.ask(() => 0);
    await expect(refused).rejects.toThrow('could not be cloned');
    expect(await Promise.all(asked)).toEqual(requests.map((request) => `after ${request}`));
    thread.close();
  });

  it('rejects every request when it ends, and every later one', async () => {
    const thread = await start();
    const results = await Promise.allSettled([thread.ask('exit'), thread.ask(0)]);
    const rejected = { status: 'rejected', reason: new Error('A thread ended early.') };
    expect(results).toEqual([rejected, rejected]);
    expect(thread.hasEnded).toBe(true);
    await expect(thread.ask(0)).rejects.toThrow('A thread ended early.');
  });

  it('is ended by a request that takes too long, even one that never ends', async () => {
    const thread = await start();
    expect(await thread.ask(0, 50_000)).toBe('after 0');
    const [late, waiting] = await Promise.allSettled([thread.ask('endless', 100), thread.ask(0)]);
    expect(late).toMatchObject({ status: 'rejected', reason: { name: 'TimeLimitError' } });
    expect(waiting).toMatchObject({
      status: 'rejected',
      reason: new Error('A thread ended early.'),
    });
    expect(thread.hasEnded).toBe(true);
    await expect(thread.ask(0)).rejects.toThrow('A thread ended early.');
  });

  it('is left to the next one of its file when it is closed, unless it has requests', async () => {
    const file = await write();
    const first = new AnsweringThread<string, number>(file);
    const beside = new AnsweringThread<string, number>(file);
    const id = await first.ask('id');
    expect(await beside.ask('id')).not.toBe(id);
    first.close();
    expect(first.hasEnded).toBe(true);
    await expect(first.ask('id')).rejects.toThrow('A thread ended early.');
    const next = new AnsweringThread<string, number>(file);
    // It is not used by two at once, and not ended by the one that left it.
    first.close();
    expect(await next.ask('id')).toBe(id);
    const endless = next.ask('endless');
    next.close();
    await expect(endless).rejects.toThrow('A thread ended early.');
    const last = new AnsweringThread<string, number>(file);
    expect(await last.ask('id')).not.toBe(id);
    last.close();
    beside.close();
  });

  it('is not left to another one if it ended', async () => {
    const file = await write();
    const thread = new AnsweringThread<string, number>(file);
    const exit = thread.ask('exit');
    await expect(exit).rejects.toThrow('A thread ended early.');
    thread.close();
    const next = new AnsweringThread<string, number>(file);
    expect(await next.ask('id')).toBeGreaterThan(0);
    next.close();
  });
});
