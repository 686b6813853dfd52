import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import { shareSubschemas } from '../../generator/validators/share-subschemas.ts';
import { buildContract } from '../targets/contract/contract-builder.ts';
import { buildPackage } from '../targets/contract/emit-package.ts';

/** An object with many members, so that it is worth sharing. */
const large = (more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`m${index}`, { type: 'integer' }]),
  ),
  required: ['m0'],
  ...more,
});
const small: JsonObject = { type: 'object', properties: { id: { type: 'string' } } };
const object = (properties: Readonly<Record<string, JsonObject>>): JsonObject => ({
  type: 'object',
  properties,
});

function share(schemas: Readonly<Record<string, JsonObject>>): ReturnType<typeof shareSubschemas> {
  return shareSubschemas(new Map(Object.entries(schemas)));
}

describe('schemas with something in common', () => {
  test('refer to it, wherever it stands', () => {
    const [a, b, shared, ...furtherDefinitions] = share({
      A: object({ user: large(), users: { type: 'array', items: large() } }),
      B: { anyOf: [{ type: 'null' }, large()] },
    });
    expect(furtherDefinitions).toEqual([]);
    expect(shared).toMatchObject({ schema: large(), hash: expect.stringMatching(/^[\da-f]{16}$/) });
    const reference = { $ref: shared?.name ?? '' };
    expect(a?.schema).toEqual(
      object({ user: reference, users: { type: 'array', items: reference } }),
    );
    expect(b?.schema).toEqual({ anyOf: [{ type: 'null' }, reference] });
  });

  test('keep what is small, what differs, and what stands once', () => {
    const schemas = {
      A: object({ one: small, user: large({ minProperties: 1 }) }),
      B: object({ one: small, user: large({ minProperties: 2 }) }),
    };
    expect(share(schemas).map(({ schema }) => schema)).toEqual(Object.values(schemas));
  });

  test('refer to a whole schema that says the same', () => {
    const shared = share({ A: object({ user: large() }), User: large(), Twin: large() });
    expect(shared).toEqual([
      { name: 'A', schema: object({ user: { $ref: 'User' } }) },
      { name: 'User', schema: large() },
      { name: 'Twin', schema: { $ref: 'User' } },
    ]);
  });

  test('share what is inside of what they share', () => {
    const order = (note: string): JsonObject => ({
      ...large({ minProperties: 2 }),
      allOf: [object({ [note]: large() })],
    });
    const shared = share({
      A: object({ x: order('n'), y: order('n') }),
      B: object({ z: order('k') }),
    });
    const [inner, outer] = shared.slice(2);
    expect(inner?.schema).toEqual(large());
    expect(outer?.schema['allOf']).toEqual([object({ n: { $ref: inner?.name ?? '' } })]);
  });

  test('never take a name of the contract, nor a constant for a schema', () => {
    const [plain] = share({ A: object({ x: large(), y: large() }) }).slice(1);
    const taken = plain?.name ?? '';
    const names = share({
      [taken]: object({ x: large(), y: { const: large() }, z: large() }),
    });
    expect(new Set(names.map(({ name }) => name)).size).toBe(2);
    expect(names[0]?.schema['properties']).toMatchObject({ y: { const: large() } });
  });
});

/** Compiles every schema so that references find the others by name. */
function compile(
  schemas: readonly { readonly name: string; readonly schema: JsonObject }[],
): (name: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  const ids = new Map(schemas.map(({ name }, index) => [name, `https://schemas.test/${index}`]));
  const toId = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, member: unknown) =>
        key === '$ref' && typeof member === 'string' ? ids.get(member) : member,
      ),
    );
  for (const { name, schema } of schemas)
    ajv.addSchema({ ...(toId(schema) as object), $id: ids.get(name) ?? '' });
  return (name: string): ValidateFunction => {
    const validate = ajv.getSchema(ids.get(name) ?? '');
    if (validate === undefined) throw new Error(`There is no schema ${name}`);
    return validate;
  };
}

const leaf = fc.constantFrom<JsonObject>(
  large(),
  large({ additionalProperties: false }),
  large({ unevaluatedProperties: false }),
  small,
  { type: 'integer' },
);
const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const several = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const member = fc.oneof(tie('schema'), fc.constant({ $ref: 'B' }));
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), member) }),
      fc.record({ allOf: several }),
      fc.record({ anyOf: several }),
      fc.record({ oneOf: several }),
      fc.record({ not: tie('schema') }),
      fc.record({ items: tie('schema') }),
      fc.record({ allOf: several, unevaluatedProperties: fc.constant(false) }),
    ),
  };
});
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(1, 'x', { m0: 1 }, { m0: 'x' }, { id: 1 }, { m0: 1, a: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'm0', 'id'), tie('value')),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

function objections(validate: ValidateFunction, value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

test('sharing changes neither what is valid nor what is said of what is not', () => {
  fc.assert(
    fc.property(anySchema, anySchema, fc.array(anyValue, { minLength: 1 }), (a, b, values) => {
      const before = [
        { name: 'A', schema: a },
        { name: 'B', schema: b },
      ];
      const [original, shared] = [compile(before), compile(share({ A: a, B: b }))];
      for (const { name } of before) {
        for (const value of values)
          expect(objections(shared(name), value)).toEqual(objections(original(name), value));
      }
    }),
    { numRuns: 100 },
  );
});

/** How many levels of subschemas are in one schema, without those behind references. */
function levelsIn(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const below = Object.entries(schema).map(([keyword, value]) =>
    keyword === 'properties' ? levelsIn(Object.values(value as object)) : levelsIn(value),
  );
  return (Array.isArray(schema) ? 0 : 1) + Math.max(0, ...below);
}

describe('a schema with many levels', () => {
  const kinds: Readonly<Record<string, (inner: JsonObject) => JsonObject>> = {
    members: (inner) => object({ a: inner }),
    items: (items) => ({ type: 'array', items }),
    parts: (inner) => ({ allOf: [inner, object({ b: small })], unevaluatedProperties: false }),
    alternatives: (inner) => ({ anyOf: [{ type: 'null' }, inner] }),
  };
  const nested = (around: (inner: JsonObject) => JsonObject, levels: number): JsonObject =>
    Array.from({ length: levels }).reduce<JsonObject>((inner) => around(inner), small);

  test.each(Object.entries(kinds))('is divided into functions: %s', (_, around) => {
    const divided = share({ A: nested(around, 40) });
    expect(divided.length).toBeGreaterThan(2);
    for (const { schema } of divided) expect(levelsIn(schema)).toBeLessThanOrEqual(17);
  });

  test.each(Object.entries(kinds))('says the same as a whole: %s', (kind, around) => {
    const schemas = { A: nested(around, 40) };
    const whole = compile(Object.entries(schemas).map(([name, schema]) => ({ name, schema })));
    const divided = compile(share(schemas));
    const wrap: Readonly<Record<string, (inner: unknown) => unknown>> = {
      members: (inner) => ({ a: inner }),
      items: (inner) => [inner, inner === 1 ? 2 : inner],
    };
    const values = [{ id: 1 }, { id: 'x' }, 1, null, { c: 1 }, { b: { id: 1 } }];
    for (const levels of [0, 1, 15, 16, 17, 39, 40]) {
      const wrapped = wrap[kind] ?? ((inner: unknown) => inner);
      for (const value of values) {
        let deep: unknown = value;
        for (let level = 0; level < Math.min(levels, kind === 'items' ? 6 : 40); level += 1)
          deep = wrapped(deep);
        expect(objections(divided('A'), deep)).toEqual(objections(whole('A'), deep));
      }
    }
  });

  test('with twice the levels has twice the code', async () => {
    const lengthOf = async (levels: number): Promise<number> => {
      const built = await buildPackage(
        buildContract([
          ['A', nested((items) => ({ type: 'array', items, minItems: levels }), levels)],
        ]),
      );
      try {
        return (await readFile(join(built.folder, 'runtime/validators.js'), 'utf8')).length;
      } finally {
        await built[Symbol.asyncDispose]();
      }
    };
    expect((await lengthOf(80)) / (await lengthOf(40))).toBeLessThan(2.5);
  });
});

test('a package of schemas that share validates by each of them', async () => {
  const schemas = {
    Order: object({ buyer: large(), seller: { anyOf: [{ type: 'null' }, large()] } }),
    Offer: {
      allOf: [large(), object({ maker: large(), parts: { type: 'array', items: large() } })],
      unevaluatedProperties: false,
    },
  };
  const contractPackage = await buildPackage(buildContract(Object.entries(schemas)));
  try {
    const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
    const module = (await import(url)) as Readonly<
      Record<string, (value: unknown) => readonly { pointer: string; keyword: string }[]>
    >;
    const reference = compile(Object.entries(schemas).map(([name, schema]) => ({ name, schema })));
    const values = [
      {},
      { m0: 1 },
      { buyer: { m0: 1 }, seller: null },
      { buyer: {}, seller: { m0: 1, m1: 'x' } },
      { m0: 1, maker: { m0: 1 }, parts: [{ m0: 1 }, {}, { m0: 1, m2: null }] },
      { m0: 1, other: 1 },
    ];
    for (const name of Object.keys(schemas)) {
      for (const value of values) {
        const violations = module[`validate${name}`]?.(value) ?? [];
        const expected = objections(reference(name), value);
        const ours = violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
        expect(new Set(ours)).toEqual(new Set(expected));
      }
    }
    const text = await readFile(join(contractPackage.folder, 'runtime/validators.js'), 'utf8');
    const validators = Array.from(text.matchAll(/\bfunction (\w+)\(/gu), ([, name = '']) => name);
    expect(validators.toSorted()).toEqual([
      expect.stringMatching(/^shared[\da-f]{16}$/u),
      'validateOffer',
      'validateOrder',
    ]);
  } finally {
    await contractPackage[Symbol.asyncDispose]();
  }
});
