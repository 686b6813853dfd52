import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract, type ReadContract } from '../../generator/generate.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { defaultBudgets, type Budgets } from '../../generator/load/budgets.ts';
import { resolveTargets, targetNames } from '../../generator/targets/registry.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { compile } from '../targets/compile.ts';
import { generateProject, repository } from '../targets/emit-project.ts';
import { compileStrictly } from '../targets/strict-compile.ts';
import { refusals } from './refusals.ts';
import { documentOf, endlessShapes, soundShapes, together } from './shapes.ts';

const config: Config = {
  contract: { openapi: 'openapi.yaml' },
  scope: '@trade',
  output: 'generated',
  targets: targetNames,
};

async function read(
  document: JsonObject | string,
  budgets: Partial<Budgets> = {},
): Promise<ReadContract> {
  const folder = await temporaryFolder();
  const text = typeof document === 'string' ? document : JSON.stringify(document, null, 1);
  await writeTree(folder, { 'openapi.yaml': text });
  return await readContract({ ...config, budgets }, folder);
}

function errorsOf({ diagnostics }: ReadContract): readonly string[] {
  return diagnostics.flatMap(({ code, severity }) => (severity === 'error' ? [code] : []));
}

describe('a contract whose shape is an attack', () => {
  it.each(refusals)('is refused in words and at a place: $name', async ({ document, code }) => {
    const result = await read(document());
    expect(result.contract).toBeUndefined();
    expect(new Set(errorsOf(result))).toEqual(new Set([code]));
    for (const { file, line, column, message, help } of result.diagnostics) {
      expect([file, line > 0, column > 0]).toEqual(['openapi.yaml', true, true]);
      expect(message.length).toBeLessThan(1000);
      expect(help).not.toBe('');
    }
  });

  it.each(Object.entries(endlessShapes))('is refused where it never ends: %s', async (_, shape) => {
    const result = await read(documentOf(shape));
    expect(result.contract).toBeUndefined();
    expect(new Set(errorsOf(result))).toEqual(new Set(['endless-schema']));
  });

  it.each([
    ['valid', { end: 'here' }, ['unstated-authentication']],
    ['invalid', { end: 1 }, ['unstated-authentication', 'invalid-example']],
  ])('judges a doubling schema by an example that is %s', async (_, example, codes) => {
    const shape = soundShapes['doubling in allOf'] ?? {};
    const result = await read(
      documentOf({ ...shape, Shown: { allOf: [shape['A'] ?? {}], example } }),
    );
    expect(result.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it('becomes no more than it says where it only looks endless, and all of it compiles', async () => {
    const document = documentOf(together(Object.values(soundShapes)));
    const result = await read(document);
    expect(errorsOf(result)).toEqual([]);
    const { contract } = result;
    if (contract === undefined) throw new Error('There is no contract.');
    const files = await emitFiles(contract, config);
    const size = files.reduce((sum, { text }) => sum + text.length, 0);
    expect(size / JSON.stringify(document).length).toBeLessThan(200);

    const targets = await resolveTargets(['contract', 'client', 'webhooks']);
    await using generated = await generateProject(contract, targets, { built: true });
    await compile('ts7', join(generated.project, 'contract'), ['-b']);
    for (const target of ['client', 'webhooks']) {
      await compileStrictly(join(generated.project, target), ['src'], {
        compiler: 'ts7',
        resolution: 'nodenext',
        from: 'source',
        withRuntimes: target === 'webhooks',
      });
    }
  });
});

describe('a budget', () => {
  const small = documentOf({ A: { enum: ['a', 'b', 'c'] } });
  const text = JSON.stringify(small, null, 1);
  const nodes = (text.match(/[^\s[\]{},:"]|"[^"]*"/gu) ?? []).length;

  it.each<[keyof Budgets, number]>([
    ['maxFileBytes', text.length],
    ['maxTotalBytes', text.length],
    ['maxEnumerationValues', 3],
  ])('of %s lets through as much as it says, and no more', async (name, least) => {
    expect(errorsOf(await read(small, { [name]: least }))).toEqual([]);
    const refused = await read(small, { [name]: least - 1 });
    expect(errorsOf(refused)).toEqual(['contract-too-large']);
    expect(refused.diagnostics[0]?.message).toContain(`\`${name}\``);
  });

  it.each<[keyof Budgets]>([['maxNodes'], ['maxDepth']])(
    'of %s has one least value that lets a contract through',
    async (name) => {
      let refused = 0;
      let enough = nodes * 2;
      while (enough - refused > 1) {
        const middle = (enough + refused) >> 1;
        const errors = errorsOf(await read(small, { [name]: middle }));
        if (errors.length > 0) expect(new Set(errors)).toEqual(new Set(['contract-too-large']));
        if (errors.length > 0) refused = middle;
        else enough = middle;
      }
      expect(enough).toBeGreaterThan(5);
      expect(enough).toBeLessThan(nodes * 2);
    },
  );

  it('of aliases lets through as many as it says, and no more', async () => {
    const yaml = text.replace('"a"', '&a "a"').replace('"b"', '*a').replace('"c"', '*a');
    const least = { maxAliases: 2 };
    expect(errorsOf(await read(yaml, least))).not.toContain('contract-too-large');
    expect(errorsOf(await read(yaml, { maxAliases: 1 }))).toEqual(['contract-too-large']);
  });

  it('is in the table of the README, with its default', async () => {
    const readme = await readFile(join(repository, 'generator/README.md'), 'utf8');
    const rows = readme.matchAll(/^\| `(\w+)` *\| .* \| ([\d,]+) *\|$/gmu);
    const documented = Array.from(rows, ([, name = '', value = '']) => [
      name,
      Number(value.replaceAll(',', '')),
    ]);
    expect(Object.fromEntries(documented)).toEqual(defaultBudgets);
  });
});
