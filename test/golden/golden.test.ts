import { execFile } from 'node:child_process';
import { cp, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../generator/load-config.ts';
import { generate } from '../../generator/generate.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree } from '../output/tree.ts';

const golden = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
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

  it.each(['typescript', 'ts7'])('compiles under every flag with %s', async (compiler) => {
    const folder = await generateCase(name);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const flags = [
      '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --verbatimModuleSyntax',
      '--erasableSyntaxOnly --isolatedDeclarations --declaration --noEmit --target es2022 --types=',
      '--lib es2022,dom --rewriteRelativeImportExtensions --customConditions countersign-source',
    ].flatMap((line) => line.split(' '));
    for (const resolution of [['nodenext'], ['esnext', '--moduleResolution', 'bundler']]) {
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      const entry = join(folder, 'expected/contract/src/index.ts');
      const run = promisify(execFile)(
        process.execPath,
        [tsc, ...flags, '--module', ...resolution, entry],
        { cwd: folder },
      );
      await expect(run.catch((error: { stdout: string }) => error.stdout)).resolves.toMatchObject({
        stdout: '',
      });
    }
  });
});
