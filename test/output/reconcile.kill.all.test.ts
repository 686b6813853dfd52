import { spawnSync } from 'node:child_process';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../generator/output/disk.ts';
import { lockPrefix } from '../../generator/emit/output-path.ts';
import { OutputError } from '../../generator/emit/output-error.ts';
import { recover, reconcile } from '../../generator/output/reconcile.ts';
import { watchDisk } from './failing-disk.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { readTree, toFiles, type Tree } from './tree.ts';

const before: Tree = {
  'contract/package.json': '{ "version": "1.0.0" }\n',
  'contract/src/index.ts': '// @generated\nexport const age = 1;\n',
  'contract/src/same.ts': '// @generated\n',
  'contract/old/gone.ts': '// @generated\n',
  'becomes-a-folder': 'a file\n',
};
const after: Tree = {
  'contract/package.json': '{ "version": "2.0.0" }\n',
  'contract/src/index.ts': '// @generated\nexport const age = 2;\n',
  'contract/src/same.ts': '// @generated\n',
  'contract/src/fresh.ts': '// @generated\nexport const fresh = true;\n',
  'becomes-a-folder/file.txt': 'a file in a folder\n',
};

class Killed extends Error {}

/** A disk that does nothing any more from one step on: what a killed process leaves, without the process. */
function dyingDisk(last: number): { readonly disk: Disk; readonly steps: () => number } {
  let steps = 0;
  const disk = watchDisk(({ number }) => {
    steps = number;
    if (number >= last) throw new Killed();
  });
  return { disk, steps: () => steps };
}

async function release(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(lockPrefix)) await rm(join(folder, name));
  }
}

/** What `check` says of a folder: its tree without the manifest, or the code it refuses with. */
async function see(folder: string): Promise<Tree | string> {
  try {
    await reconcile([], { folder, mode: 'check', waitMs: 0 });
  } catch (error) {
    if (error instanceof OutputError) return error.code;
    throw error;
  }
  const { '.manifest.json': _, ...tree } = await readTree(folder);
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith(lockPrefix)));
}

async function generated(folder: string, tree: Tree): Promise<Tree> {
  await reconcile(toFiles(tree), { folder, mode: 'write' });
  return await readTree(folder);
}

describe('a run that is killed', () => {
  it('leaves the old tree, the new one, or an interrupted one that the next run repairs: SIGKILL at every step', async () => {
    const root = await temporaryFolder();
    const wholeBefore = await generated(join(root, 'before'), before);
    const wholeAfter = await generated(join(root, 'after'), after);
    const script = join(import.meta.dirname, 'reconcile-until-killed.fixture.ts');
    const seen = { old: 0, interrupted: 0, new: 0 };
    let step = 0;
    for (;;) {
      step += 1;
      const folder = join(root, `step-${step}`);
      await cp(join(root, 'before'), folder, { recursive: true });
      const run = spawnSync(process.execPath, [script, folder, `${step}`, JSON.stringify(after)]);
      if (run.status === 0) break;
      expect(run.signal, run.stderr.toString()).toBe('SIGKILL');

      const state = await see(folder);
      if (state === 'interrupted') seen.interrupted += 1;
      else {
        expect([before, after], `after a kill at step ${step}`).toContainEqual(state);
        seen[typeof state === 'object' && 'becomes-a-folder' in state ? 'old' : 'new'] += 1;
      }
      const next = step % 2 === 0 ? after : before;
      await reconcile(toFiles(next), { folder, mode: 'write', waitMs: 0 });
      expect(await readTree(folder)).toEqual(next === after ? wholeAfter : wholeBefore);
      expect(await reconcile(toFiles(next), { folder, mode: 'check' })).toEqual([]);
    }
    // Were nothing killed in one of the three phases, the test would show nothing of it.
    expect(Math.min(seen.old, seen.interrupted, seen.new)).toBeGreaterThan(0);
  }, 120_000);

  it('is repaired even where the run that repairs it is killed as well', async () => {
    const root = await temporaryFolder();
    const wholeBefore = await generated(join(root, 'before'), before);
    const wholeAfter = await generated(join(root, 'after'), after);
    const manifestOf = (tree: Tree): string => tree['.manifest.json'] ?? '';
    let first = 0;
    let pairs = 0;
    for (;;) {
      first += 1;
      const killed = join(root, 'killed');
      await rm(killed, { recursive: true, force: true });
      await cp(join(root, 'before'), killed, { recursive: true });
      const failingDisk = dyingDisk(first);
      const died = await reconcile(toFiles(after), {
        folder: killed,
        mode: 'write',
        disk: failingDisk.disk,
      }).then(
        () => false,
        () => true,
      );
      if (!died) break;
      await release(killed);
      if ((await see(killed)) !== 'interrupted') continue;
      // Every step of the second run is met; every pair of steps would take half a minute.
      for (let second = 1 + (first % 5); ; second += 5) {
        const folder = join(root, 'again');
        await rm(folder, { recursive: true, force: true });
        await cp(killed, folder, { recursive: true });
        const two = dyingDisk(second);
        const ended = await recover({ folder, disk: two.disk }).then(
          () => true,
          () => false,
        );
        await release(folder);
        pairs += 1;
        await recover({ folder, waitMs: 0 });
        const tree = await readTree(folder);
        const expectedTree = manifestOf(tree) === manifestOf(wholeAfter) ? wholeAfter : wholeBefore;
        expect(tree, `killed at step ${first}, then at step ${second}`).toEqual(expectedTree);
        if (ended) break;
      }
    }
    expect(pairs).toBeGreaterThan(100);
  }, 120_000);
});
