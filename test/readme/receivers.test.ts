import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';
import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import { expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { steady } from './steady.ts';
import { run } from '../../generator/cli/run.ts';
import { listenForTest } from '../packages/simulator/send/listen.ts';
import { repository } from '../targets/emit-project.ts';
import { copyContract, expectShown, shownOf } from './shown.ts';

it('shows what scaffold prints, at first and when the contract has grown', async () => {
  const [first, second, third, ...furtherCommands] = await shownOf('scaffold');
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('The page shows no scaffold.');
  expect(furtherCommands).toEqual([]);
  const folder = await copyContract();
  expectShown((await runInProcess(folder, first.command)).out, first.output);

  const registration = join(folder, 'apps/receiver/src/webhooks.ts');
  const text = await readFile(registration, 'utf8');
  await writeFile(registration, text.replaceAll(/^.*\bonCharge\b.*\n/gmu, ''));
  expectShown((await runInProcess(folder, second.command)).out, second.output);
  expectShown((await runInProcess(folder, third.command)).out, third.output);
});

it('shows what send prints, whatever comes back', async () => {
  const shown = (await shownOf('send')).filter(({ command }) => command.includes('--to'));
  expect(shown.length).toBeGreaterThan(1);
  const { receive } = createWebhooks({
    authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'a secret'),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const { port } = new URL(await listenForTest(toNodeHandler(receive)));
  for (const { command, output } of shown) {
    const called = command.map((word) => word.replace(':3000', `:${port}`));
    const { out } = await runInProcess(repository, called, { WEBHOOK_SECRET: 'a secret' });
    const steady = out.replaceAll(`:${port}`, ':3000').replace(/in \d+ ms/u, 'in 12 ms');
    expect(steady).toBe(output);
  }
});

it('shows what simulate prints, and send without --to', async () => {
  const [served, ...ending] = await shownOf('simulate');
  const [sent, ...furtherSends] = (await shownOf('send')).filter(
    ({ command }) => !command.includes('--to'),
  );
  if (served === undefined || sent === undefined) throw new Error('The page shows neither.');
  expect([ending.length, furtherSends.length]).toEqual([2, 0]);
  const { receive } = createWebhooks({
    authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'a secret'),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  const { port } = new URL(await listenForTest(toNodeHandler(receive)));
  const environment = { WEBHOOK_SECRET: 'a secret' };
  const onFreePorts = (command: readonly string[]): readonly string[] => [
    ...command.map((word) => word.replace(':3000', `:${port}`)),
    '--port',
    '0',
    '--console-port',
    '0',
  ];
  const folder = await copyContract();
  await mkdir(join(folder, 'node_modules'));

  let said = '';
  let interrupt: (() => void) | undefined;
  const running = run(onFreePorts(served.command), {
    folder,
    environment,
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    out: (text) => void (said += text),
    error: () => undefined,
  });
  await expect.poll(() => interrupt, { timeout: 30_000 }).toBeDefined();
  expect(steady(said)).toBe(steady(`${served.output}\n`));
  const { out } = await runInProcess(folder, sent.command);
  expect(steady(out)).toBe(steady(sent.output));
  interrupt?.();
  expect(await running).toBe(0);

  for (const { command, output } of ending) {
    const result = await runInProcess(folder, onFreePorts(command), environment);
    expect(result.code, result.out + result.error).toBe(0);
    expectShown(steady(result.out), steady(output));
  }
});
