import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watch, type WatchedRun } from '../../../generator/tools/watch/watch.ts';
import type { WatchedFiles } from '../../../generator/tools/watch/watched-files.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';

/** Watches `openapi.yaml` of a folder. Each run takes the next step. */
async function watchSteps(
  steps: (files: WatchedFiles) => readonly (() => Promise<Partial<WatchedRun>>)[],
): Promise<{ readonly ended: string | undefined; readonly runs: number }> {
  const folder = await temporaryFolder();
  const document = join(folder, 'openapi.yaml');
  await writeFile(document, '');
  const files = { contracts: [document], inputs: [], outputs: [], folder };
  const all = steps(files);
  let interrupt = (): void => undefined;
  const interrupted = new Promise<void>((resolve) => (interrupt = resolve));
  let runs = 0;
  const ended = await watch(files, {
    interrupted,
    async run() {
      const step = all[runs];
      runs += 1;
      if (runs === all.length) interrupt();
      return { files, isLocked: false, ...(await step?.()) };
    },
  });
  return { ended, runs };
}

const nothing = async (): Promise<object> => await Promise.resolve({});

it('runs once, and ends when it is interrupted', async () => {
  expect(await watchSteps(() => [nothing])).toEqual({ ended: undefined, runs: 1 });
});

it('runs again after a change during the run, and after one in a folder that appeared', async () => {
  const outcome = await watchSteps(({ folder, contracts }) => [
    async () => {
      await writeFile(contracts[0] ?? '', '1');
      return {};
    },
    async () => {
      await mkdir(join(folder, 'schemas'));
      return {};
    },
    async () => {
      await writeFile(join(folder, 'schemas/Order.yaml'), '');
      return {};
    },
    nothing,
  ]);
  expect(outcome).toEqual({ ended: undefined, runs: 4 });
});

it('runs again, without a change, after another process held the lock', async () => {
  const outcome = await watchSteps(() => [async () => ({ isLocked: true }), nothing]);
  expect(outcome).toEqual({ ended: undefined, runs: 2 });
});

it('prepares the second run once, and notices what changes meanwhile', async () => {
  let prepared = 0;
  const prepare = (change: () => Promise<void>) => async () => ({
    prepare: async () => {
      prepared += 1;
      await change();
    },
  });
  const outcome = await watchSteps(({ contracts }) => [
    prepare(async () => await writeFile(contracts[0] ?? '', '1')),
    prepare(async () => await Promise.resolve()),
  ]);
  expect(outcome).toEqual({ ended: undefined, runs: 2 });
  expect(prepared).toBe(1);
});

it('ends with the path of code that changed after it was loaded', async () => {
  let code = '';
  const outcome = await watchSteps((files) => [
    async () => {
      code = join(files.folder, 'target.ts');
      return await Promise.resolve({
        files: { ...files, inputs: [code] },
        prepare: async () => await writeFile(code, ''),
      });
    },
    nothing,
  ]);
  expect(outcome).toEqual({ ended: code, runs: 1 });
});
