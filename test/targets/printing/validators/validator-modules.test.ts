import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../generator/schema/model.ts';
import { formats } from '../../../../generator/validators/formats.ts';
import { publishSchemas } from '../../../../generator/schema/publish.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { type WrittenPackage, buildPackage } from '../../contract/emit-package.ts';
import { values, zoo } from '../../contract/zoo.ts';
import fc from 'fast-check';
import { runsOf } from '../../../some.ts';

interface Violation {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}
type Exports = Readonly<Record<string, (value: unknown) => unknown>>;

const trap = buildContract(
  Object.entries({
    Tree: { type: 'object', properties: { next: { $ref: '#/$defs/Tree' } } },
    Forest: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    Amount: { type: 'number', multipleOf: 0.01 },
    Third: { type: 'number', multipleOf: 1e-8 },
    Number: { type: 'number', format: 'decimal' },
    Integer: { type: 'integer' },
    Long: { type: 'integer', format: 'int64' },
    Unique: { type: 'array', uniqueItems: true },
    Short: { type: 'string', maxLength: 30, pattern: '^(a|a)*$' },
    Constructor: { type: 'object', required: ['constructor', 'toString'] },
    Limits: {
      type: 'object',
      properties: { code: { enum: ['secret-free', 1] }, text: { type: 'string', maxLength: 2 } },
      additionalProperties: false,
      propertyNames: { maxLength: 4 },
    },
    ProtoConstant: { const: JSON.parse('{"__proto__":{"polluted":1}}') as object },
    NotFirst: { not: { type: 'array', prefixItems: [{ type: 'string' }], contains: { const: 1 } } },
    Many: { enum: Array.from({ length: 300 }, (_, index) => index) },
  } as Record<string, JsonSchema>),
);

let zooPackage: WrittenPackage;
let trapPackage: WrittenPackage;
let zooExports: Exports;
let trapExports: Exports;

beforeAll(async () => {
  zooPackage = await buildPackage(zoo);
  trapPackage = await buildPackage(trap);
  zooExports = await importPackage(zooPackage);
  trapExports = await importPackage(trapPackage);
});

afterAll(async () => {
  await zooPackage[Symbol.asyncDispose]();
  await trapPackage[Symbol.asyncDispose]();
});

async function importPackage({ folder }: WrittenPackage): Promise<Exports> {
  return (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as Exports;
}

function validate(exports: Exports, typeName: string, value: unknown): readonly Violation[] {
  const violations = exports[`validate${typeName}`]?.(value) as readonly Violation[];
  expect(exports[`is${typeName}`]?.(value)).toBe(violations.length === 0);
  return violations;
}

/** What the published schema says, by Ajv at run time. */
function createReference(): (name: string, value: unknown) => boolean {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    logger: false,
  });
  for (const [name, format] of formats) {
    if (format.type === 'string') ajv.addFormat(name, format.expression);
    else {
      const limit = 2 ** (format.bits - 1);
      const inRange = (value: number): boolean =>
        Number.isInteger(value) && value >= -limit && value < limit;
      ajv.addFormat(name, { type: 'number', validate: inRange });
    }
  }
  const published = publishSchemas(zoo);
  const compiled = new Map(
    zoo.schemas.map(({ name, typeName }) => [
      name,
      ajv.compile({ ...published, $ref: `#/$defs/${typeName}` }),
    ]),
  );
  return (name, value) => compiled.get(name)?.(value) === true;
}

describe('the generated validators', () => {
  const reference = createReference();

  test.each(zoo.schemas.map(({ name, typeName }) => [name, typeName]))(
    'judge as Ajv does at run time: %s',
    (name, typeName) => {
      // Ajv leaves out members called __proto__; the trap below has them.
      const comparable = name === 'Odd' ? values.filter((value) => !hasProto(value)) : values;
      const ours = comparable.map((value) => validate(zooExports, typeName, value).length === 0);
      expect(ours).toEqual(comparable.map((value) => reference(name, value)));
    },
  );

  test('tell valid from invalid for every schema, so that the comparison says something', () => {
    for (const { name } of zoo.schemas) {
      const verdicts = new Set(values.map((value) => reference(name, value)));
      const expected = name === 'Anything' ? [true] : name === 'Nothing' ? [false] : [false, true];
      expect(verdicts, name).toEqual(new Set(expected));
    }
  });

  test('judge any JSON as Ajv does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zoo.schemas), fc.jsonValue(), ({ name, typeName }, value) => {
        // Ajv leaves out `__proto__` at run time, and calls members with the other names.
        fc.pre(!/"(?:__proto__|toString|valueOf)":/u.test(JSON.stringify(value)));
        expect(zooExports[`is${typeName}`]?.(value)).toBe(reference(name, value));
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  test.each([
    ['a member __proto__ is checked', '{"constructor":"x","__proto__":"1"}', ['/__proto__ type']],
    ['a valid one passes', '{"constructor":"x","__proto__":1}', []],
    ['a member __proto__ can be required', '{"constructor":"x"}', [' required']],
    ['an inherited member is not a member', '{"__proto__":1}', [' required']],
  ])('hold where Ajv has traps: %s', (_, text, expected) => {
    const violations = validate(zooExports, 'Odd', JSON.parse(text));
    expect(violations.map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toEqual(expected);
  });

  test.each([
    ['Constructor', {}, false],
    ['NotFirst', [], true],
    ['NotFirst', ['a'], true],
    ['NotFirst', ['a', 1], false],
    ['NotFirst', [1], true],
    ['Constructor', { constructor: 1, toString: 2 }, true],
    ['NumberSchema', 19.99, true],
    ['NumberSchema', Number.MAX_VALUE, true],
    ['NumberSchema', Number.POSITIVE_INFINITY, false],
    ['NumberSchema', JSON.parse('1e400'), false],
    ['NumberSchema', Number.NaN, false],
    ['Integer', Number.NaN, false],
    ['Integer', Number.NEGATIVE_INFINITY, false],
    ['Integer', 1.0, true],
    ['Integer', '1', false],
    ['Long', 2 ** 63, false],
    ['Long', -(2 ** 63), true],
    ['Amount', 19.99, true],
    ['Amount', 0.07, true],
    ['Amount', 999_999_999.99, true],
    ['Amount', 1e21, true],
    ['Amount', 19.995, false],
    ['Amount', 0.01 + Number.EPSILON, false],
    ['Amount', 5e-324, false],
    ['Third', 12.34567891, true],
    ['Third', 12.345678912, false],
    [
      'Unique',
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    ['Unique', [1, '1', true, [1]], true],
    ['Many', 299, true],
    ['Many', 300, false],
    ['ProtoConstant', JSON.parse('{"__proto__":{"polluted":1}}'), true],
    ['ProtoConstant', {}, false],
    ['ProtoConstant', { toString: 0 }, false],
    ['Unique', [{ valueOf: 1 }, { valueOf: 2 }, { toString: 1 }], true],
    ['Unique', [{ toString: 1 }, { toString: 1 }], false],
  ])('hold where Ajv has traps: %s of %j is %j', (typeName, value, expected) => {
    expect(validate(trapExports, typeName, value).length === 0).toBe(expected);
  });

  test('refuse what is nested too deeply with a violation, not with a crash', () => {
    let deep: object = {};
    for (let depth = 0; depth < 200_000; depth += 1) deep = { next: deep };
    const loop: { next?: object } = {};
    loop.next = loop;
    for (const value of [deep, loop]) {
      expect(validate(trapExports, 'Tree', value)).toEqual([
        { pointer: '', keyword: 'depth', message: 'is nested too deeply to be validated' },
      ]);
    }
    expect(validate(trapExports, 'Tree', { next: { next: {} } })).toEqual([]);
  });

  test('do not match a pattern against a text that is longer than maxLength', () => {
    // The pattern takes exponential time: the engine would never end.
    const keywords = (value: string): readonly string[] =>
      validate(trapExports, 'Short', value).map(({ keyword }) => keyword);
    expect(keywords(`${'a'.repeat(60)}!`)).toEqual(['maxLength']);
    expect(keywords('😀'.repeat(31))).toEqual(['maxLength']);
    expect(keywords('ab')).toEqual(['pattern']);
    expect(keywords(`😀${'a'.repeat(4)}`)).toEqual(['pattern']);
    expect(keywords('aa')).toEqual([]);
  });

  test('list the first violations of a long list', () => {
    const list = Array.from({ length: 200_000 }, () => ({ next: 1 }));
    expect(validate(trapExports, 'Forest', list)).toHaveLength(100);
  });

  test('list violations in words of the contract and never with the value', () => {
    const secret = 'hunter2-hunter2';
    const value = { code: secret, text: secret, [secret]: secret };
    const violations = validate(trapExports, 'Limits', value);
    expect(violations).toEqual([
      { pointer: '', keyword: 'maxLength', message: 'must have at most 4 characters' },
      { pointer: '', keyword: 'propertyNames', message: 'must not have a member with this name' },
      {
        pointer: '',
        keyword: 'additionalProperties',
        message: 'must not have undeclared members',
      },
      { pointer: '/code', keyword: 'enum', message: 'must be one of "secret-free", 1' },
      { pointer: '/text', keyword: 'maxLength', message: 'must have at most 2 characters' },
    ]);
    expect(JSON.stringify(violations)).not.toContain(secret);
  });

  test('put every keyword into words', () => {
    for (const { typeName } of zoo.schemas) {
      for (const value of values) {
        for (const { keyword, message } of validate(zooExports, typeName, value)) {
          expect(message, keyword).toMatch(/^must /);
          expect(message, keyword).not.toMatch(/undefined|\[object/);
        }
      }
    }
  });

  test('throw an error that names the type, lists what is wrong and holds it as data', () => {
    const { assertAnimal, ValidationError } = zooExports;
    expect(() => assertAnimal?.({ name: 'Leo', diet: 1 })).not.toThrow();
    let thrown: unknown;
    try {
      assertAnimal?.({ name: '', diet: 1, tags: ['A'] });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ValidationError);
    expect(thrown).toMatchObject({
      name: 'ValidationError',
      code: 'invalid-value',
      typeName: 'Animal',
      message:
        'The value is not valid as Animal:\n- /name must have at least 1 characters\n' +
        '- /tags/0 must match the pattern "^[a-z]+$"',
      violations: [
        { pointer: '/name', keyword: 'minLength', message: 'must have at least 1 characters' },
        { pointer: '/tags/0', keyword: 'pattern', message: 'must match the pattern "^[a-z]+$"' },
      ],
    });
  });
});

function hasProto(value: unknown): boolean {
  return JSON.stringify(value).includes('__proto__');
}
