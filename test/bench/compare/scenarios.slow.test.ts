import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countRun } from '../../../bench/compare/count-run.ts';
import { fromSource, repository } from '../../../bench/compare/revision.ts';
import { scenarios } from '../../../bench/compare/scenarios.ts';
import { expectRecorded } from '../../figures/expect-recorded.ts';

/** Enough operations for one more file of each to exceed the room of the figures. */
const operations = 20;

let folder: string;

beforeAll(async () => {
  // Node would keep compiled code in the system's temporary folder.
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1');
  folder = await mkdtemp(join(tmpdir(), 'countersign-'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s: loads, reads and writes no more than recorded, and exactly the same libraries',
  async (name, scenario) => {
    const revision = fromSource('working tree', repository);
    const counts = countRun(revision, scenario.prepare(revision, folder, operations), false);
    expect(Object.keys(counts)).not.toEqual([]);
    await expectRecorded(name.toLowerCase().replaceAll(/[^a-z]+/gu, '-'), counts);
  },
);
