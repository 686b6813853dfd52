import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createParcelProject } from './parcel-project.ts';
import { readTree, type Tree, withoutLeftovers } from '../../../output/tree.ts';

const fixture = join(import.meta.dirname, '../../../output/user-files.fixture.ts');

it.each([
  ['a new application', [], 9],
  ['a new application with an inbox', ['--inbox', 'sqlite'], 13],
] as const)('the next run completes %s that a killed one was writing', async (_, inbox, stride) => {
  const { folder: project, create } = await createParcelProject();
  const folder = join(project, 'receiver');
  const run = async (): Promise<Tree> => {
    const { code, error } = await create('node', 'receiver', ...inbox);
    expect(code, error).toBe(0);
    return await readTree(folder);
  };
  const after = await run();
  const creates = Object.entries(after).map(([path, text]) => ({ path, text }));
  const changes = JSON.stringify({ creates, edits: [] });
  let step = 1;
  for (; ; step += stride) {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    const killed = spawnSync(process.execPath, [fixture, folder, String(step), changes]);
    if (killed.status === 0) break;
    const tree = withoutLeftovers(await readTree(folder));
    for (const [path, text] of Object.entries(tree)) expect(text, path).toBe(after[path]);
    expect(await run(), `completed after step ${step}`).toEqual(after);
  }
  expect(step).toBeGreaterThan(5 * stride);
});
