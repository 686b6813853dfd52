import { expect, it } from 'vitest';
import type { Config } from '../../generator/config/config.ts';
import { emitFiles } from '../../generator/emit/emit.ts';
import { readContract } from '../../generator/generate.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { targetNames } from '../../generator/targets/registry.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { writeTree } from '../output/tree.ts';
import { documentOf, object, times, to, type Schemas } from './shapes.ts';

/** Names that differ in what no name of code can have, and become one. */
const alike = (index: number): string =>
  index.toString(2).replaceAll('0', '.').replaceAll('1', '-');

/** Large contracts within every budget, by what is large in them, each in two sizes. */
const shapes: Readonly<Record<string, (size: number) => JsonObject>> = {
  'values of an enumeration': (size) =>
    documentOf({ A: { enum: times(size * 10, (index) => `value ${index}`) } }),
  'values that become one name': (size) => documentOf({ A: { enum: times(size * 5, alike) } }),
  'schemas whose names become one name': (size) =>
    documentOf({
      A: { type: 'string' },
      ...Object.fromEntries(times(size, (index) => [`Same${alike(index)}`, { type: 'string' }])),
    }),
  alternatives: (size) =>
    documentOf({ A: { oneOf: times(size, (index) => object({ kind: { const: `k${index}` } })) } }),
  'alternatives of parts': (size) =>
    documentOf({
      A: {
        allOf: times(size / 10, (part) => ({
          anyOf: times(10, (other) => object({ [`m${part}`]: { const: other } })),
        })),
      },
    }),
  properties: (size) =>
    documentOf({
      A: object(Object.fromEntries(times(size * 2, (index) => [`p${index}`, { type: 'string' }]))),
    }),
  'first items': (size) =>
    documentOf({ A: { type: 'array', prefixItems: times(size, () => ({ type: 'string' })) } }),
  'schemas that refer to all others': (size) => {
    const names = times(size / 25, (index) => `N${index}`);
    const all = object(Object.fromEntries(names.map((name) => [name, to(name)])));
    return documentOf({
      A: all,
      ...(Object.fromEntries(names.map((name) => [name, all])) as Schemas),
    });
  },
};

async function sizeOf(document: JsonObject): Promise<{ input: number; emitted: number }> {
  const folder = await temporaryFolder();
  const text = JSON.stringify(document);
  await writeTree(folder, { 'openapi.json': text });
  const config: Config = {
    contract: { openapi: 'openapi.json' },
    scope: '@trade',
    output: 'generated',
    targets: targetNames,
  };
  const { contract, diagnostics } = await readContract(config, folder);
  if (contract === undefined) throw new Error(JSON.stringify(diagnostics.slice(0, 3)));
  const files = await emitFiles(contract, config);
  return {
    input: text.length,
    emitted: files.reduce((sum, file) => sum + file.text.length, 0),
  };
}

it.each(Object.entries(shapes))(
  'what is generated grows with the contract and not with its square: %s',
  async (_, make) => {
    const small = await sizeOf(make(500));
    const large = await sizeOf(make(2000));
    const growth = large.emitted / small.emitted / (large.input / small.input);
    expect(growth, JSON.stringify({ small, large })).toBeLessThan(1.5);
  },
  120_000,
);
