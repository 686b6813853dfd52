import { workOf } from '../../counted-work.ts';
import { expect, test } from 'vitest';
import { createTestInbox } from './stored-events.ts';
import { runInProcess } from '../../cli/run-in-process.ts';

/** The code of the command and of the inbox. SQLite's own work is not counted. */
const counted = /\/(?:generator|packages)\/(?!.*node_modules)[\w/.-]+\.ts$/u;

const size = 60;
const commands: Readonly<Record<string, (page: string) => readonly string[]>> = {
  list: (page) => ['list', '--page-size', page],
  'list --json': (page) => ['list', '--page-size', page, '--json'],
  show: () => ['show', 'r0-0', '--reveal', '--by', 'a'],
  stats: () => ['stats'],
  export: () => ['export', '--all'],
  'export --payloads': () => ['export', '--all', '--payloads', '--by', 'a'],
  'retry, preview': () => ['retry', '--all'],
  'retry --yes': () => ['retry', '--all', '--yes', '--by', 'a'],
  'retry of named events': (page) => [
    'retry',
    ...Array.from({ length: Number(page) }, (_, index) => ['--id', `r${index}-0`]).flat(),
    '--by',
    'a',
  ],
  discard: () => ['discard', '--all', '--yes', '--by', 'a'],
  audit: (page) => ['audit', '--page-size', page],
};

/** Fills an inbox with some events, and returns the work of each command. */
async function worksOf(
  count: number,
  textOf: (index: number) => string,
): Promise<ReadonlyMap<string, number>> {
  await using inbox = await createTestInbox();
  for (let index = 0; index < count; index += 1)
    await inbox.receive(
      `r${index}`,
      { kind: `kind${index}`, orderKey: textOf(index), identity: `i${index}` },
      Buffer.from(JSON.stringify({ text: textOf(index) })),
    );
  const works = new Map<string, number>();
  for (const [name, parametersFor] of Object.entries(commands)) {
    let code: number | null = -1;
    const work = await workOf(async () => {
      const parameters = ['inbox', ...parametersFor(`${count}`), '--store', 'inbox.db'];
      ({ code } = await runInProcess(inbox.folder, parameters));
    }, counted);
    expect(code, `${name} of ${count}`).toBe(0);
    works.set(name, work);
  }
  return works;
}

test.each([
  ['keys', (index: number): string => `key ${index}`],
  ['equal keys', (): string => 'key'],
  ['long keys', (): string => 'key\u001b[31m\n'.repeat(size)],
])('twice the events, with %s, cost at most 2.5 times the work', async (_, textOf) => {
  const once = await worksOf(size, textOf);
  const twice = await worksOf(2 * size, textOf);
  for (const [name, work] of once)
    expect((twice.get(name) ?? Infinity) / work, name).toBeLessThan(2.5);
});
