import { execFile } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { companions } from '../../generator/companions.ts';
import { cloneRepository, linkModules } from './clone.ts';

const execute = promisify(execFile);

/** Every room whose tests use no companion. */
const rooms = [
  'cache',
  'documents',
  'json',
  'patterns',
  'recognition',
  'schema',
  'select',
  'validators',
];

/** Runs a program of Node in a folder; rejects with what it printed if it fails. */
async function run(folder: string, ...words: readonly string[]): Promise<string> {
  const env = { ...process.env, VITEST: undefined, NODE_OPTIONS: undefined };
  try {
    const options = { cwd: folder, env, maxBuffer: 1 << 26 };
    return (await execute(process.execPath, words, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${words.join(' ')} failed\n${stdout}\n${stderr}`, { cause: error });
  }
}

it('the core compiles, passes its tests and reads a contract without companions', async () => {
  const names = [
    ...companions.map((companion) => companion.package.replace('@countersign/', '')),
    // A library of companions.
    'console',
  ];
  const ofCompanion = new RegExp(`^(?:test/)?packages/(?:${names.join('|')})/`, 'u');
  const folder = await cloneRepository((path) => !ofCompanion.test(path));
  await linkModules(folder);
  for (const name of names) {
    await expect(access(join(folder, 'packages', name))).rejects.toThrow('ENOENT');
    await rm(join(folder, 'node_modules/@countersign', name));
  }

  await run(folder, 'node_modules/ts7/bin/tsc', '-b', 'generator');
  await access(join(folder, 'generator/dist/cli.js'));

  const tests = rooms.map((room) => `test/${room}/`);
  const out = await run(folder, 'node_modules/vitest/vitest.mjs', 'run', ...tests);
  expect(out).toMatch(/Test Files .*passed/u);

  expect(await run(folder, 'generator/cli.ts', 'lint')).toContain('no findings');
  const commands = companions.flatMap((companion) => companion.commands);
  expect(commands).not.toEqual([]);
  for (const { name } of commands)
    await expect(run(folder, 'generator/cli.ts', name, '--json')).rejects.toThrow(
      '"missing-companion"',
    );
}, 600_000);
