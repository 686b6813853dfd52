import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';
import { toNodeHandler } from '@countersign/webhooks/node';
import { expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { listenForTest } from '../tools/send/listen.ts';
import { repository } from '../targets/emit-project.ts';
import { copyContract, expectShown, shownOf } from './shown.ts';

it('shows what scaffold prints, at first and when the contract has grown', async () => {
  const [first, second, ...others] = await shownOf('scaffold');
  if (first === undefined || second === undefined) throw new Error('The page shows no scaffold.');
  expect(others).toEqual([]);
  const folder = await copyContract();
  expectShown((await runInProcess(folder, first.command)).out, first.output);

  const registration = join(folder, 'apps/receiver/src/webhooks.ts');
  const text = await readFile(registration, 'utf8');
  await writeFile(registration, text.replaceAll(/^.*\bonCharge\b.*\n/gmu, ''));
  await rm(join(folder, 'apps/receiver/src/handlers/charge.ts'));
  expectShown((await runInProcess(folder, second.command)).out, second.output);
});

it('shows what send prints, whatever comes back', async () => {
  const shown = await shownOf('send');
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
