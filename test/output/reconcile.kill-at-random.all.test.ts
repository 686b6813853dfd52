import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { recover, reconcile } from '../../generator/output/reconcile.ts';
import { randomMoments } from './random-moments.ts';
import { stateOf } from './state-of.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { readTree, toFiles, type Tree } from './tree.ts';

const script = join(import.meta.dirname, 'reconcile-for-ever.fixture.ts');
const kills = 50;
/** Milliseconds in which a run gets through both trees a few times. */
const longest = 60;

const trees: readonly Tree[] = ['one', 'two'].map((run) =>
  Object.fromEntries(
    Array.from({ length: 24 }, (_, file) => [
      `package-${file % 4}/${file % 3 === 0 ? `${run}-` : ''}${file}.txt`,
      file % 5 === 0 ? 'the same\n' : `${run}\n`,
    ]),
  ),
);

it(`a run that is killed at ${kills} random moments leaves one whole tree, or says so and is repaired`, async () => {
  const { seed, moments } = randomMoments(kills);
  const folder = await temporaryFolder();
  const wholes: Tree[] = [];
  for (const tree of trees) {
    await reconcile(toFiles(tree), { folder, mode: 'write' });
    wholes.push(await readTree(folder));
  }
  const seen = { whole: 0, interrupted: 0 };
  for (const [kill, moment] of moments.entries()) {
    const after = moment * longest;
    const run = spawn(process.execPath, [script, folder, JSON.stringify(trees)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(run.stdout, 'data');
    await delay(after);
    run.kill('SIGKILL');
    const [, signal] = (await once(run, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');

    const state = await stateOf(folder);
    seen[state] += 1;
    const what = `seed ${seed}, kill ${kill}, after ${after} ms, ${state}`;
    if (state === 'whole')
      expect(wholes, what).toContainEqual(withoutClaims(await readTree(folder)));
    await recover({ folder, waitMs: 0 });
    expect(wholes, what).toContainEqual(await readTree(folder));
  }
  // Were no run killed while it wrote, or all of them, the moments would not be random.
  expect(Math.min(seen.whole, seen.interrupted), JSON.stringify(seen)).toBeGreaterThan(0);
});

/** A claim of a process that is gone is void, and no part of the tree. */
function withoutClaims(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('.lock-')));
}
