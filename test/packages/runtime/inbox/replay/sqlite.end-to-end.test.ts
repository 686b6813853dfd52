import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliver } from '@instant-payment/webhooks/testing';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../output/temporary-folder.ts';
import { handledOnce, runReadmeExample } from './readme-example.ts';

interface Receiver {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startReceiver(folder: string): Promise<Receiver> {
  const child = fork(
    join(import.meta.dirname, 'receive.fixture.ts'),
    [join(folder, 'replay.db'), join(folder, 'effects.txt')],
    { execArgv: ['--conditions=countersign-source'] },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

/** Delivers the same event ten times at once, to each receiver in turn, and returns the statuses. */
function deliverTenTimes(receivers: readonly Receiver[]): readonly Promise<number>[] {
  return Array.from({ length: 10 }, async (_, index) => {
    const { port } = receivers[index % receivers.length] ?? { port: 0 };
    const request = await deliver('cashoutStageTwo', { url: `http://127.0.0.1:${port}` });
    return (await fetch(request)).status;
  });
}

test('two processes handle a delivery once that comes ten times, and remember it after a restart', async () => {
  const folder = await temporaryFolder();
  const effects = (): Promise<string> => readFile(join(folder, 'effects.txt'), 'utf8');
  const receivers = await Promise.all([startReceiver(folder), startReceiver(folder)]);
  const settled: number[] = [];
  const nineSettled = Promise.withResolvers<undefined>();
  const responses = deliverTenTimes(receivers).map(async (response) => {
    settled.push(await response);
    if (settled.length === 9) nineSettled.resolve(undefined);
  });
  // The handler runs until the nine others have their response.
  await nineSettled.promise;
  expect(settled).toEqual(Array<number>(9).fill(503));
  for (const { child } of receivers) child.send('continue');
  await Promise.all(responses);
  expect(settled.at(-1)).toBe(200);
  expect(await effects()).toBe('cashoutStageTwo\n');

  const repeated = await Promise.all(deliverTenTimes(receivers));
  expect(repeated).toEqual(Array<number>(10).fill(200));

  for (const { child } of receivers) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const restarted = [await startReceiver(folder)];
  expect(await Promise.all(deliverTenTimes(restarted))).toEqual(Array<number>(10).fill(200));
  expect(await effects()).toBe('cashoutStageTwo\n');
});

test("the README's example handles an event once", async () => {
  expect(await runReadmeExample('sqlite')).toEqual(handledOnce);
});
