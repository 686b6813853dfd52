import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { commands } from '../../generator/cli/commands.ts';
import { run } from '../../generator/cli/run.ts';
import { createTestInbox } from '../packages/inbox/stored-events.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { copyContract, expectShown, shownOf, type Shown } from './shown.ts';

const execute = promisify(execFile);

/** Returns the only use of a command on the page of the commands. */
async function only(name: string, flag = ''): Promise<Shown> {
  const all = (await shownOf(name)).filter(({ command }) => command.join(' ').includes(flag));
  const [shown, ...furtherCommands] = all;
  if (shown === undefined) throw new Error(`The page does not show ${name} ${flag}.`);
  expect(furtherCommands).toEqual([]);
  return shown;
}

/** Gives a status another value, in a copy of the contract. */
async function change(folder: string): Promise<void> {
  const meaning = '  - The verification has ended without a result.\n';
  await edit(
    join(folder, 'spec/schemas/CustomerStatus.yaml'),
    (text) => text.replace('DONE]', 'DONE, EXPIRED]').replace('Done]', 'Done, Expired]') + meaning,
  );
}

async function edit(path: string, by: (text: string) => string): Promise<void> {
  await writeFile(path, by(await readFile(path, 'utf8')));
}

it('the page of the commands shows every command with its output', async () => {
  for (const { name } of commands) expect(await shownOf(name), name).not.toEqual([]);
});

it('shows what init prints', async () => {
  const { command, output } = await only('init', 'shop');
  expectShown((await runInProcess(await temporaryFolder(), command)).out, output);
});

it.each([
  ['init', '--contract'],
  ['generate', '--target'],
])('shows what %s prints about the document of the guide to diff', async (name, flag) => {
  const { command, output } = await only(name, flag);
  const guide = await readFile(new URL('../../docs/guides/diff.md', import.meta.url), 'utf8');
  const [, text = ''] = /^```yaml\n# old\.yaml\n([^]*?)^```$/mu.exec(guide) ?? [];
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'old.yaml'), `# old.yaml\n${text}`);
  expectShown((await runInProcess(folder, command)).out, output);
});

it.each([
  ['explain', 'isCharge'],
  ['explain', 'schemas.CustomerStatus.definition.x-enum-varnames'],
  ['explain', 'empty-enum'],
  ['unstated'],
])('shows what %s prints', async (name, part = '') => {
  const { command, output } = await only(name, part);
  expectShown((await runInProcess(await copyContract(), command)).out, output);
});

it('shows what settle prints', async () => {
  const shown = await shownOf('settle');
  expect(shown).toHaveLength(2);
  for (const { command, output } of shown) {
    const { code, out, error } = await runInProcess(await copyContract(), command);
    expect(code, error).toBe(0);
    expectShown(out, output);
  }
});

it('shows what diff prints of a branch', async () => {
  const { command, output } = await only('diff');
  const folder = await copyContract();
  const git = (...words: readonly string[]): Promise<unknown> =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
    });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '.');
  await git('commit', '--quiet', '--message=The contract');
  await change(folder);
  await edit(join(folder, 'spec/schemas/Customer.yaml'), (text) =>
    text.replace('document, status]', 'document]'),
  );
  await edit(join(folder, 'spec/schemas/TokenRequest.yaml'), (text) =>
    text.replace(
      'required:',
      "  scope:\n    type: string\n    description: What the token is for.\n    x-source: '5.6'\nrequired:",
    ),
  );
  const { code, out, error } = await runInProcess(folder, command);
  expect(code, error).toBe(0);
  expectShown(out, output);
});

it('shows what generate --watch and check print', async () => {
  const watched = await only('generate', '--watch');
  const checked = await only('check');
  const folder = await copyContract();
  await runInProcess(folder, ['generate']);

  let said = '';
  let interrupt: (() => void) | undefined;
  const running = run(watched.command, {
    folder,
    environment: {},
    outIsTerminal: false,
    // On a terminal, the line of progress is removed again.
    errorIsTerminal: true,
    columns: 80,
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    out: (text) => void (said += text),
    error: (text) => void (said += text),
  });
  const watches = async (times: number): Promise<void> => {
    while (said.split('end with Ctrl-C').length <= times) await delay(20);
  };
  await watches(1);
  await change(folder);
  await watches(2);
  interrupt?.();
  expect(await running).toBe(0);
  const steady = (text: string): string =>
    text
      .split('\r\u001B[2K')
      .filter((line) => !/ …(?: \d.*)?$/u.test(line))
      .join('')
      .replaceAll(/\d+ files \(\d+ ms\)/gu, 'files');
  expectShown(steady(said), steady(watched.output));

  await appendFile(join(folder, 'generated/client/src/options.ts'), '// mine\n');
  await runInProcess(folder, ['generate', '--quiet']);
  await appendFile(join(folder, 'generated/client/src/options.ts'), '// mine\n');
  const { out, code } = await runInProcess(folder, checked.command);
  expectShown(out, checked.output);
  expect(code).toBe(1);
});

it('shows what inbox prints', async () => {
  await using inbox = await createTestInbox();
  const [first, second, third] = ['019c1399e200', '019c1399e201', '019c1399e202'] as const;
  await inbox.receive(first, { kind: 'shipDocked', orderKey: 'gull' });
  await inbox.receive(second, { orderKey: 'tern' });
  await inbox.receive(third, { kind: 'shipLeft', orderKey: 'tern' });
  await inbox.work({ [first]: 'done', [second]: 'rejected' });
  const shown = await shownOf('inbox');
  expect(shown.map(({ command: [, action] }) => action)).toEqual([
    'list',
    'stats',
    'show',
    'retry',
    'retry',
    'export',
    'audit',
  ]);
  for (const { command, output } of shown) {
    const { out, error } = await runInProcess(inbox.folder, command);
    expect(error).toBe('');
    const reveals = command[1] === 'audit' || command.includes('--reveal');
    // The command acts at the present time.
    expectShown(
      reveals ? out.replaceAll(/\S+Z(?=  re)/gu, '2026-01-31T12:00:00.000Z') : out,
      output,
    );
  }
});
