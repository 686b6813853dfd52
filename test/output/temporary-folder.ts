import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Where a test keeps a store: in memory, where a run has such a folder. */
export function storeFolder(): string {
  return process.env['COUNTERSIGN_MEMORY'] ?? tmpdir();
}

/** An empty folder that is gone when the test is over. */
export async function temporaryFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'countersign-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
