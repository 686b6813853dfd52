import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { run } from '../../generator/cli/run.ts';
import { createProject, openapi } from '../cli/project.ts';

const book = 'generated/titles/book.js';

it('generates again whatever way a file is saved, keeps the output of a sound contract, and ends when asked to', async () => {
  const { folder } = await createProject();
  let said = '';
  let interrupt: (() => void) | undefined;
  const running = run(['generate', '--watch'], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    untilInterrupted: () => new Promise((resolve) => (interrupt = resolve)),
    out: (text) => void (said += text),
    error: (text) => void (said += text),
  });
  const says = async (text: string): Promise<void> => {
    while (!said.includes(text)) await delay(10);
    said = said.slice(said.indexOf(text) + text.length);
  };
  const read = async (): Promise<string> => await readFile(join(folder, book), 'utf8');
  const contract = join(folder, 'openapi.yaml');
  await says('watching');
  expect(await read()).toContain("['title']");

  await writeFile(contract, openapi.replace('title: {', 'name: {').replace('[title]', '[name]'));
  await says('watching');
  expect(await read()).toContain("['name']");

  await writeFile(contract, openapi.replace('type: string', 'type: strng'));
  await says('1 error');
  await says('watching');
  expect(await read()).toContain("['name']");

  await writeFile(
    join(folder, 'new.yaml'),
    'type: object\nproperties: { shelf: { type: string } }\n',
  );
  await writeFile(
    join(folder, 'other'),
    openapi.replace('    Book:\n', "    Place: { $ref: './new.yaml' }\n    Book:\n"),
  );
  await rename(join(folder, 'other'), contract);
  await says('created');
  await says('watching');
  expect(await read()).toContain("['title']");

  await writeFile(
    join(folder, 'new.yaml'),
    'type: object\nproperties: { row: { type: string } }\n',
  );
  await says('updated');
  await says('watching');

  interrupt?.();
  expect(await running).toBe(0);
}, 120_000);

it('ends where code changes that runs already', async () => {
  const { folder } = await createProject();
  let said = '';
  const running = run(['generate', '--watch'], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    out: () => undefined,
    error: (text) => void (said += text),
  });
  while (!said.includes('watching')) await delay(10);
  const target = join(folder, 'titles.mjs');
  await writeFile(target, `${await readFile(target, 'utf8')}\n`);
  expect(await running).toBe(1);
  expect(said).toContain('titles.mjs has changed, which runs already: start again');
}, 120_000);

it('refuses to watch for a machine that waits for one document', async () => {
  const { countersign } = await createProject();
  const { code, out } = await countersign('generate', '--watch', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'usage' } });
});
