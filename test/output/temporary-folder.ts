import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is gone when the test is over. */
export async function temporaryFolder(parent: string = tmpdir()): Promise<string> {
  const folder = await realpath(await mkdtemp(join(parent, 'countersign-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
