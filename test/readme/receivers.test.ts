import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';
import { toNodeHandler } from '@countersign/webhooks/node';
import { expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { listenForTest } from '../send/listen.ts';
import { repository } from '../targets/emit-project.ts';

interface Shown {
  readonly command: readonly string[];
  readonly output: string;
}

/** What the first page shows of a command: how it is called, and what it prints. */
async function shownOf(name: string): Promise<readonly Shown[]> {
  const page = await readFile(join(repository, 'README.md'), 'utf8');
  const blocks = page.matchAll(/^```console\n\$ npx countersign (.*)\n([^]*?)^```$/gmu);
  return Array.from(blocks, ([, line = '', output = '']) => ({
    command: words(line),
    output,
  })).filter(({ command }) => command[0] === name);
}

/** The words of a command line; those in single quotes are one. */
function words(line: string): readonly string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|(\S+)/gu),
    ([, quoted, plain = '']) => quoted ?? plain,
  );
}

/** A copy of what this repository generates from, with nothing else in it. */
async function copyContract(): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of ['spec', 'package.json', 'countersign.config.ts'])
    await cp(join(repository, name), join(folder, name), { recursive: true });
  return folder;
}

/** What was printed begins and ends as it is shown; `…` stands for what is between. */
function expectShown(printed: string, shown: string): void {
  // A line of a diff that is empty in the file begins with a space, which no editor leaves on a page.
  const lines = printed.replaceAll(/^ $/gmu, '');
  const [begin = '', end] = shown.split(/^…\n/mu);
  if (end === undefined) expect(lines).toBe(begin);
  else expect([lines.slice(0, begin.length), lines.slice(-end.length)]).toEqual([begin, end]);
}

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
