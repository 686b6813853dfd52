import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexSchemas, reachableFrom } from '../../../generator/schema/references.ts';
import { buildPackage, type WrittenPackage } from './emit-package.ts';
import { zoo } from './zoo.ts';

let zooPackage: WrittenPackage;

beforeAll(async () => {
  zooPackage = await buildPackage(zoo);
});

afterAll(() => zooPackage[Symbol.asyncDispose]());

/** Bundles one import of the built package; answers with the code and the modules that have bytes in it. */
async function bundle(source: string): Promise<{ code: string; modules: readonly string[] }> {
  const entry = join(zooPackage.project, 'entry.js');
  await writeFile(entry, source);
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: zooPackage.project,
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const modules = Object.entries(output?.inputs ?? {})
    .filter(([path, { bytesInOutput }]) => path !== 'entry.js' && bytesInOutput > 0)
    .map(([path]) => path.replace(/^.*?contract\//, ''));
  return { code: outputFiles[0]?.text ?? '', modules: modules.toSorted() };
}

describe('a bundle', () => {
  test.each(zoo.schemas.map(({ name, typeName }) => [name, typeName]))(
    'with the guard of %s holds validators of what it refers to and no other',
    async (name, typeName) => {
      const { modules } = await bundle(
        `import { is${typeName} } from '@trade/contract'; console.log(is${typeName}(JSON.parse('1')));`,
      );
      const index = indexSchemas(zoo);
      const reachable = new Set(
        reachableFrom(index, name).map((other) => index.get(other)?.fileName),
      );
      const validators = modules.filter((path) => path.startsWith('validators/'));
      expect(validators.length).toBeGreaterThan(0);
      for (const path of validators) {
        expect(reachable).toContain(path.slice('validators/'.length, -'.js'.length));
      }
      expect(modules.filter((path) => path.startsWith('dist/types/'))).toHaveLength(1);
    },
  );

  test('with one guard has no text of an unrelated schema', async () => {
    const keeperBundle = await bundle(
      `import { isKeeper } from '@trade/contract'; console.log(isKeeper(1));`,
    );
    expect(keeperBundle.code).not.toMatch(/unrelated|Lonely/);
    expect(keeperBundle.code).not.toContain('\\d{4}-');
    const other = await bundle(
      `import { isLonely } from '@trade/contract'; console.log(isLonely(1));`,
    );
    expect(other.code).toMatch(/unrelatedMemberOfLonely[\s\S]*unrelated-constant-of-lonely/);
  });

  test('with an enumeration has that one alone', async () => {
    const { code, modules } = await bundle(
      `import { Diet } from '@trade/contract'; console.log(Diet.Meat);`,
    );
    expect(modules.filter((path) => !path.endsWith('types/diet.js'))).toEqual([]);
    expect(code.length).toBeLessThan(100);
  });

  test('with a type has nothing', async () => {
    const { modules } = await bundle(`import {} from '@trade/contract';`);
    expect(modules).toEqual([]);
  });
});
