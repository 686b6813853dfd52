import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { toViolations } from '../../generator/rules/violations.ts';
import { toValidatorSchema } from '../../generator/validators/validator-schema.ts';
import { withExampleCheck } from '../../generator/rules/example-check.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';
import { ValidatorCompiler } from '../../generator/validators/validator-compiler.ts';
import { sampleSchemas, sampleValues } from '../targets/printing/validators/agreement.ts';
import { buildContract } from '../targets/contract/contract-builder.ts';

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

/** Ajv as it comes, without our keywords and without what becomes of its output. */
function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    inlineRefs: false,
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 9,
  });
  return ajv.addFormat('uuid', uuid);
}

describe('what a value breaks', () => {
  test.each<[keyword: string, schema: JsonObject, value: Json, words: string]>([
    ['minimum', { minimum: 2 }, 1, 'must be at least 2'],
    ['maximum', { maximum: 2 }, 3, 'must be at most 2'],
    ['exclusiveMinimum', { exclusiveMinimum: 2 }, 2, 'must be above 2'],
    ['exclusiveMaximum', { exclusiveMaximum: -1.5 }, 2, 'must be below -1.5'],
    ['multipleOf', { multipleOf: 0.5 }, 1.3, 'must be a multiple of 0.5'],
    ['minLength', { minLength: 2 }, 'a', 'must have at least 2 characters'],
    ['maxLength', { maxLength: 2 }, 'abc', 'must have at most 2 characters'],
    ['format', { format: 'uuid' }, 'x', 'must have the format "uuid"'],
    ['minItems', { minItems: 2 }, [], 'must have at least 2 items'],
    ['maxItems', { maxItems: 0 }, [1], 'must have at most 0 items'],
    ['items', { prefixItems: [true], items: false }, [1, 2], 'must have at most 1 item'],
    [
      'unevaluatedItems',
      { prefixItems: [true], unevaluatedItems: false },
      [1, 2],
      'must have at most 1 item',
    ],
    ['uniqueItems', { uniqueItems: true }, [1, 2, 1], 'must not have equal items (0 and 2)'],
    [
      'contains',
      { contains: { type: 'string' } },
      [1],
      'must contain at least 1 of the items of `contains`',
    ],
    [
      'contains',
      { contains: true, minContains: 1, maxContains: 2 },
      [1, 2, 3],
      'must contain at least 1 and at most 2 of the items of `contains`',
    ],
    ['minProperties', { minProperties: 1 }, {}, 'must have at least 1 member'],
    ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }, 'must have at most 1 member'],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, 'must have b beside a'],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1 },
      'must have b, c beside a',
    ],
    ['if', { if: true, then: { type: 'string' } }, 1, 'must match the schema of `then`'],
    ['if', { if: false, else: { type: 'string' } }, 1, 'must match the schema of `else`'],
    ['not', { not: {} }, 1, 'must not match the schema of `not`'],
  ])('is said of %s in words: %j', async (keyword, schema, value, words) => {
    const contract = buildContract([['S', schema]]);
    const violations = await withExampleCheck(contract, new ValidatorCompiler(), (check) =>
      check({ $ref: '#/$defs/S' }, value),
    );
    expect(violations.find((violation) => violation.keyword === keyword)?.words).toBe(words);
  });

  test.each<[schema: JsonObject, value: Json, keywords: readonly string[]]>([
    [{ prefixItems: [true], unevaluatedItems: false }, [1], []],
    [{ prefixItems: [true], unevaluatedItems: false, uniqueItems: true }, [1], []],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ['unevaluatedItems']],
    [
      { prefixItems: [true, true], unevaluatedItems: false, uniqueItems: true },
      [1, 1],
      ['uniqueItems'],
    ],
    [{ allOf: [{ prefixItems: [true] }], unevaluatedItems: { type: 'string' } }, [1, 'a'], []],
  ])('is decided after `prefixItems` by %j: %j', async (schema, value, keywords) => {
    const contract = buildContract([['S', schema]]);
    const violations = await withExampleCheck(contract, new ValidatorCompiler(), (check) =>
      check({ $ref: '#/$defs/S' }, value),
    );
    expect(violations.map(({ keyword }) => keyword)).toEqual(keywords);
  });

  test.each([1, 2, 3, 4, 5, 6])('is what Ajv says of random schemas (seed %i)', async (seed) => {
    const definitions = sampleSchemas('all of JSON Schema', 40, seed * 1000);
    const values = sampleValues(40, seed);
    const contract = buildContract(definitions);
    const ajv = createAjv();
    for (const { name, definition } of contract.schemas)
      ajv.addSchema(toValidatorSchema(definition), name);
    await withExampleCheck(contract, new ValidatorCompiler(), async (check) => {
      for (const [name, definition] of definitions) {
        const validate = ajv.compile({ $ref: name });
        const checks = values.map(async (value) => check({ $ref: `#/$defs/${name}` }, value));
        for (const [index, violations] of (await Promise.all(checks)).entries()) {
          const value = values[index] ?? null;
          const what = `${JSON.stringify(definition)} and ${JSON.stringify(value)}`;
          expect(violations.length === 0, what).toBe(validate(value));
          const told = new Set(toViolations(validate.errors ?? []).map(toText));
          const ours = violations.filter(
            (violation) =>
              violation.keyword !== 'uniqueItems' ||
              told.has(toText(violation)) ||
              !isEqualPair(violation, value),
          );
          expect(new Set(ours.map(toText)), what).toEqual(told);
        }
      }
    });
  });
});

/**
 * Returns whether two items are equal as stated. Ajv compares only items of the type that `items` has, so that it leaves
 * out equal items which are invalid anyway.
 */
function isEqualPair({ at, words }: { at: string; words: string }, value: Json): boolean {
  const [, j = '', i = ''] = /\((\d+) and (\d+)\)$/u.exec(words) ?? [];
  const items = at === '' ? value : resolvePointer(value, at);
  return Array.isArray(items) && isDeepStrictEqual(items[Number(i)], items[Number(j)]) && i !== j;
}

function resolvePointer(value: Json, pointer: string): unknown {
  let member: unknown = value;
  for (const name of pointer.split('/').slice(1))
    member = Reflect.get(Object(member), name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return member;
}

const toText = ({ at, keyword, words }: { at: string; keyword: string; words: string }): string =>
  `${at} ${keyword} ${words}`;
