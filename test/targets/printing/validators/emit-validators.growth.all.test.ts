import { workOf } from '../../../counted-work.ts';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../generator/json/json.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { writePackage, type WrittenPackage } from '../../contract/emit-package.ts';
import { emitFiles } from '../../emit-project.ts';
import { contractTarget } from '../../../../generator/targets/contract/target.ts';

/** Writes a level of schemas, each of which refers to the next one several times. */
type Level = (next: JsonObject, level: number) => JsonObject;

const own = (level: number): JsonObject => ({
  type: 'object',
  required: [`p${level}`],
  properties: { [`p${level}`]: { const: level } },
});

/** Calls for the value itself. */
const levels: Readonly<Record<string, Level>> = {
  oneOf: (next, level) => ({ oneOf: [next, next, own(level)] }),
  anyOf: (next, level) => ({ anyOf: [own(level), next, next] }),
  allOf: (next) => ({ allOf: [next, next], minProperties: 0 }),
  'unions of unions': (next, level) => ({
    oneOf: [{ anyOf: [next, own(level)] }, { allOf: [next, { not: own(level) }] }],
  }),
  not: (next) => ({ not: { not: { allOf: [next, { not: next }] } } }),
  'if and else': (next) => ({ not: { if: next, then: next, else: next } }),
  'dependent schemas': (next) => ({ dependentSchemas: { a: next, b: next } }),
  'members that are not evaluated': (next, level) => ({
    anyOf: [next, own(level), next],
    unevaluatedProperties: { type: ['integer', 'array', 'object', 'string'] },
  }),
  'conditions of alternatives': (next, level) => ({
    if: { anyOf: [next, own(level)] },
    then: { oneOf: [next, { not: next }] },
    unevaluatedProperties: { not: { type: 'null' } },
  }),
  'items that are not evaluated': (next) => ({
    anyOf: [next, { prefixItems: [true] }, next],
    unevaluatedItems: { type: 'integer' },
  }),
};

/** Calls for members and items, of which a value nested as deeply has one at each level. */
const nestedLevels: Readonly<Record<string, Level>> = {
  'properties of alternatives': (next) => ({
    anyOf: [
      { properties: { a: next }, required: ['b'] },
      { properties: { a: next }, required: ['c'] },
    ],
  }),
  'properties and patterns': (next) => ({
    properties: { a: next },
    patternProperties: { '^a': next },
  }),
  'patterns and other properties': (next) => ({
    patternProperties: { '^a': next, a$: next },
    allOf: [{ additionalProperties: next }],
  }),
  'items and contains': (next) => ({ items: next, contains: next, minContains: 1 }),
  'contained, and not contained': (next) => ({
    anyOf: [{ contains: next }, { not: { contains: { not: next } } }],
    properties: { a: next },
  }),
  'dependent members': (next) => ({
    dependentSchemas: { a: { properties: { a: next } } },
    additionalProperties: next,
  }),
  'first items and unevaluated items': (next) => ({
    prefixItems: [next],
    allOf: [{ items: next }],
  }),
};

const kinds = Object.entries({ ...levels, ...nestedLevels });
// Multiples of the number of levels from one that remembers its results to the next.
const counts = [6, 12, 48, 96];
const packages: WrittenPackage[] = [];
/** The modules of validators, by the number of levels and the name of the function. */
const modules = new Map<string, string>();
const isOf = /\/(?:validators|runtime)\/[\w-]+\.js$/u;

/** Writes a package with that many levels of each kind. */
beforeAll(async () => {
  for (const count of counts) {
    const schemas = kinds.flatMap(([, write], kind): [string, JsonObject][] => [
      ...Array.from({ length: count }, (_, level): [string, JsonObject] => [
        `K${kind}L${level}`,
        write({ $ref: `#/$defs/K${kind}L${level + 1}` }, level),
      ]),
      [`K${kind}L${count}`, { type: 'object', required: ['last'] }],
    ]);
    const files = validatorsIn(await emitFiles(contractTarget, buildContract(schemas)));
    const { folder, ...others } = await writePackage(files);
    packages.push({ folder, ...others });
    for (const [path, text] of files)
      for (const [, name = ''] of text.matchAll(/^export (?:function|const) (\w+)/gmu))
        modules.set(`${count} ${name}`, join(folder, path));
  }
});

afterAll(async () => {
  for (const contractPackage of packages) await contractPackage[Symbol.asyncDispose]();
});

/** Returns the files that validate values, by their paths in the package. */
function validatorsIn(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Array.from(files, ([path, text]): [string, string] => [
      path.replace('contract/', ''),
      text,
    ]).filter(([path]) => isOf.test(`/${path}`)),
  );
}

/** Asserts that the work of values grows with the number of schemas, and not with the number of ways to the last. */
async function expectLinear(
  name: string,
  valuesOf: (count: number) => readonly Json[],
): Promise<void> {
  const kind = kinds.findIndex(([kindName]) => kindName === name);
  const works: number[] = [];
  for (const [index, count] of counts.entries()) {
    const functionName = `validateK${kind}L0`;
    const file = modules.get(`${count} ${functionName}`) ?? '';
    const { [functionName]: validate } = (await import(pathToFileURL(file).href)) as Readonly<
      Record<string, (data: unknown, path: string, to: object) => number>
    >;
    const keywords = pathToFileURL(file.replace(/runtime\/.*$/u, 'runtime/keywords.js')).href;
    const { Failures } = (await import(keywords)) as { readonly Failures: new () => object };
    const values = valuesOf(count);
    const work = (): unknown => values.map((value) => validate?.(value, '', new Failures()));
    works.push(await workOf(work, isOf));
    // 2^48 calls would not end.
    if (index === 1) expect((works[1] ?? 0) / (works[0] ?? 1)).toBeLessThan(50);
  }
  expect(works[0]).toBeGreaterThan(0);
  expect((works[3] ?? 0) / (works[2] ?? 1)).toBeLessThan(2.5);
}

/** Returns a value that is nested as deeply as the schemas. */
function nested(depth: number, around: (inner: Json) => Json): Json {
  let value: Json = 'x';
  for (let level = 0; level < depth; level += 1) value = around(value);
  return value;
}

describe('twice the schemas cost at most 2.5 times the work of a validator', () => {
  test.each(Object.keys(levels))('for one value: %s', async (name) => {
    await expectLinear(name, () => [{ last: 1 }, { a: 1, b: 1 }, { p0: 0 }, [1, 2], 'x']);
  });

  test.each(Object.keys(nestedLevels))('for nested values: %s', async (name) => {
    await expectLinear(name, (count) => [nested(count, (a) => ({ a })), nested(count, (a) => [a])]);
  });
});
