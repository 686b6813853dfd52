import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planValidators, reachableUnits } from '../../../generator/validators/validator-units.ts';
import { buildPackage, type WrittenPackage } from './emit-package.ts';
import { zoo } from './zoo.ts';

let zooPackage: WrittenPackage;

beforeAll(async () => {
  zooPackage = await buildPackage(zoo);
});

afterAll(() => zooPackage[Symbol.asyncDispose]());

/** Bundles one import of the built package. */
async function bundle(source: string, { minify = true } = {}): Promise<string> {
  const entry = join(zooPackage.project, 'entry.js');
  await writeFile(entry, source);
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: zooPackage.project,
    bundle: true,
    format: 'esm',
    minify,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

describe('a bundle', () => {
  test.each(zoo.schemas.map(({ name, typeName }) => [name, typeName]))(
    'with the guard of %s holds validators of what it refers to and no other',
    async (name, typeName) => {
      const code = await bundle(
        `import { is${typeName} } from '@trade/contract'; console.log(is${typeName}(JSON.parse('1')));`,
        { minify: false },
      );
      const plan = planValidators(zoo);
      const all = [...plan.units.values()];
      const held = all.filter(({ functionName }) =>
        new RegExp(`function ${functionName}\\d*\\(data`, 'u').test(code),
      );
      const unit = plan.units.get(name);
      expect(held.length).toBeLessThan(all.length);
      expect(new Set(held)).toEqual(unit && new Set(reachableUnits(plan, [unit])));
      expect(code).not.toMatch(/function assert/u);
    },
  );

  test('with one guard has no text of an unrelated schema', async () => {
    const keeperBundle = await bundle(
      `import { isKeeper } from '@trade/contract'; console.log(isKeeper(1));`,
    );
    expect(keeperBundle).not.toMatch(/unrelated|Lonely/);
    expect(keeperBundle).not.toContain('\\d{4}-');
    const other = await bundle(
      `import { isLonely } from '@trade/contract'; console.log(isLonely(1));`,
    );
    expect(other).toMatch(/unrelatedMemberOfLonely[\s\S]*unrelated-constant-of-lonely/);
  });

  test('with an enumeration has that one alone', async () => {
    const code = await bundle(`import { Diet } from '@trade/contract'; console.log(Diet.Meat);`);
    expect(code).not.toContain('function');
    expect(code.length).toBeLessThan(100);
  });

  test('with a type has nothing', async () => {
    expect(await bundle(`import {} from '@trade/contract';`)).toBe('');
  });
});
