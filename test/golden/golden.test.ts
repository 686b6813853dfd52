import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree } from '../output/tree.ts';
import { compilers, compileStrictly, resolutionNames } from '../targets/strict-compile.ts';
import { caseNames, generateCase, golden, selectExpected } from './generate-case.ts';

it('expects something of every case', async () => {
  const entries = await readdir(golden, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(caseNames.toSorted()).toEqual(folders.toSorted());
});

/**
 * A small contract of another trade, and the files that follow from it and that `generated/` does not show. After a
 * deliberate change, `npm run golden` writes them anew, for review.
 */
describe.each(caseNames)('the contract %s', (name) => {
  it('becomes exactly the expected files, and compiles under every flag', async () => {
    const folder = await temporaryFolder();
    await generateCase(name, folder);
    const output = join(folder, 'expected');
    expect(selectExpected(name, await readTree(output))).toEqual(
      await readTree(join(golden, name, 'expected')),
    );
    for (const compiler of compilers)
      for (const resolution of resolutionNames)
        await compileStrictly(join(output, 'contract'), ['src'], {
          compiler,
          resolution,
          from: 'source',
        });
  });
});
