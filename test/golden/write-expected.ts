import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTree, writeTree } from '../output/tree.ts';
import { caseNames, generateCase, golden, selectExpected } from './generate-case.ts';

/** `npm run golden`: writes what is expected of every golden case anew, for a reviewer to read. */
for (const name of caseNames) {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-golden-'));
  try {
    await generateCase(name, folder);
    const tree = selectExpected(name, await readTree(join(folder, 'expected')));
    await rm(join(golden, name, 'expected'), { recursive: true, force: true });
    await writeTree(join(golden, name, 'expected'), tree);
  } finally {
    await rm(folder, { recursive: true });
  }
}
