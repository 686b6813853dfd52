import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, test } from 'vitest';
import { commands } from '../generator/cli/commands.ts';
import { toFailure } from '../generator/cli/failure.ts';
import { companions, importCompanion } from '../generator/companions.ts';
import { targetNames } from '../generator/targets/registry.ts';

const absent = 'not-installed';
const notInstalled = {
  name: 'weigh',
  resolve: () => import.meta.resolve(`@countersign/${absent}/commands/weigh`),
};
const notBuilt = {
  name: 'weigh',
  resolve: () => pathToFileURL(join(import.meta.dirname, 'not-built.ts')).href,
};

test.each([notInstalled, notBuilt])('a missing companion has a code', async (row) => {
  const error: unknown = await importCompanion(row).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'MissingCompanionError', code: 'missing-companion' });
  expect(toFailure(error)).toMatchObject({
    exitCode: 1,
    code: 'missing-companion',
    message: 'This installation of countersign has no "weigh". Install the package again.',
  });
});

test('the failure of a companion that is installed stays as it is', async () => {
  const failure = new Error('no more weights');
  const resolve = (): string => {
    throw failure;
  };
  await expect(importCompanion({ name: 'weigh', resolve })).rejects.toBe(failure);
});

it.each(companions.map((companion) => [companion.package, companion] as const))(
  '%s is installed, with every command and target of its row',
  async (name, companion) => {
    expect(companion.commands.length + companion.targets.length).toBeGreaterThan(0);
    for (const command of companion.commands) {
      expect(command.resolve()).toContain(name.replace('@countersign/', '/packages/'));
      expect(commands.map((row) => row.name)).toContain(command.name);
      expect(await importCompanion(command)).toHaveProperty('command');
    }
    for (const target of companion.targets) {
      expect(targetNames).toContain(target.name);
      expect(await importCompanion(target)).toHaveProperty('target.name', target.name);
    }
  },
);
