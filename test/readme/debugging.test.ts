import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
const [, section = ''] = /^## How to debug\n(.*?)^## /msu.exec(page) ?? [];
const commands = Array.from(section.matchAll(/node generator\/cli\.ts ([^'<]+)'/gu), ([, words]) =>
  (words ?? '').split(' '),
);

it.each(commands)('the command of CONTRIBUTING works: %s %s', async (...words) => {
  const { code, out } = await runInProcess(root, words);
  expect(code).toBe(0);
  expect(out).not.toBe('');
});

it('CONTRIBUTING shows how to print the model and how to explain a name', () => {
  expect(commands.map(([name]) => name)).toEqual(['explain', 'explain', 'explain']);
});

it('the configuration of CONTRIBUTING generates one target', async () => {
  const folder = await temporaryFolder();
  const [, config = ''] = /```json\n(.*?)```/su.exec(section) ?? [];
  await writeFile(join(folder, 'countersign.config.json'), config);
  await cp(join(root, 'test/corpus/contracts/lamps.yaml'), join(folder, 'lamps.yaml'));
  const { code, error } = await runInProcess(folder, ['generate']);
  expect(code, error).toBe(0);
});
