import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../generator/config/load-config.ts';
import { generate } from '../../generator/generate.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree } from '../output/tree.ts';
import { compilers, compileStrictly, resolutionNames } from '../targets/strict-compile.ts';

const golden = fileURLToPath(new URL('.', import.meta.url));
const cases = (await readdir(golden, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Generates a case in a folder of its own; answers with the folder. */
async function generateCase(name: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(join(golden, name), folder, {
    recursive: true,
    filter: (path) => !path.endsWith('expected'),
  });
  const { configs } = await loadConfig(folder);
  for (const config of configs) {
    const { status, diagnostics } = await generate(config, { folder });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(status).toBe('written');
  }
  return folder;
}

/**
 * A small contract of another trade and the tree that follows from it. After a deliberate change,
 * `npm run golden` writes the trees anew, for review.
 */
describe.each(cases)('the contract %s', (name) => {
  it('becomes exactly the expected tree', async () => {
    const folder = await generateCase(name);
    expect(await readTree(join(folder, 'expected'))).toEqual(
      await readTree(join(golden, name, 'expected')),
    );
  });

  it.each(compilers)('compiles under every flag with %s', async (compiler) => {
    const folder = await generateCase(name);
    for (const resolution of resolutionNames) {
      await compileStrictly(join(folder, 'expected/contract'), ['src'], {
        compiler,
        resolution,
        from: 'source',
      });
    }
  });
});
