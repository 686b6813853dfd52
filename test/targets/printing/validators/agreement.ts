import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import { publishSchemas } from '../../../../generator/schema/publish.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../generator/json/json.ts';
import { literal } from '../../../../generator/targets/escape.ts';
import { compileStrictly } from '../../strict-compile.ts';
import { buildContract } from '../../contract/contract-builder.ts';
import { buildPackage } from '../../contract/emit-package.ts';

/** The members that random objects have; few, so that schemas and values often speak of the same. */
const members = ['a', 'b', 'c'] as const;
const member = fc.constantFrom(...members);
const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'x',
  'y',
  '',
  0,
  1,
  -1.5,
  true,
  false,
  null,
);

/** Values of a few members and scalars, at most three levels deep. */
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.dictionary(member, tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }) as fc.Arbitrary<Json>,
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

/** Whether a schema says only what a type can say as well, so that both have to agree on every value. */
export type Extent = 'what types can say' | 'all of JSON Schema';

const sortOf = (...types: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.constantFrom(...types).map((type) => ({ type }));

/** Random schemas; a reference outside of members and items leads to a later schema, so that none is itself. */
function schemaArbitrary(
  extent: Extent,
  position: number,
  count: number,
): fc.Arbitrary<JsonObject> {
  const refer = (index: number): JsonObject => ({ $ref: `#/$defs/S${index}` });
  const anywhere = fc.nat({ max: count - 1 }).map(refer);
  const later =
    position + 1 < count
      ? fc.integer({ min: position + 1, max: count - 1 }).map(refer)
      : scalarType;
  const hasAllKeywords = extent === 'all of JSON Schema';
  return fc.letrec<{ schema: JsonObject; inside: JsonObject; object: JsonObject }>((tie) => {
    const several = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    const object = fc
      .record(
        {
          properties: fc.dictionary(member, tie('inside'), { maxKeys: 3 }),
          // Of types without a required member, TypeScript takes texts for objects within an intersection.
          required: fc.uniqueArray(member, { minLength: hasAllKeywords ? 0 : 1, maxLength: 2 }),
          ...(hasAllKeywords
            ? {
                additionalProperties: fc.oneof(fc.boolean(), tie('inside')),
                patternProperties: fc.dictionary(fc.constantFrom('^a', '[bc]'), tie('inside'), {
                  maxKeys: 1,
                }),
                minProperties: fc.nat({ max: 2 }),
                propertyNames: fc.constant({ pattern: '^[abc]$' }),
                dependentRequired: fc.constant({ a: ['b'] }),
                unevaluatedProperties: fc.boolean(),
              }
            : {}),
        },
        { requiredKeys: hasAllKeywords ? ['properties'] : ['properties', 'required'] },
      )
      .map((rest): JsonObject => ({ type: 'object', ...rest }));
    const list = fc
      .record(
        {
          items: tie('inside'),
          ...(hasAllKeywords
            ? {
                // Beside `contains`, Ajv takes an empty list for valid.
                prefixItems: fc.array(tie('inside'), { minLength: 1, maxLength: 2 }),
                minItems: fc.nat({ max: 2 }),
                maxItems: fc.nat({ max: 3 }),
                uniqueItems: fc.boolean(),
              }
            : {}),
        },
        { requiredKeys: ['items'] },
      )
      .map((rest): JsonObject => ({ type: 'array', ...rest }));
    return {
      inside: fc.oneof({ weight: 3, arbitrary: tie('schema') }, anywhere),
      object,
      schema: fc.oneof(
        { maxDepth: 3 },
        scalarType,
        object,
        list,
        later,
        scalar.map((value) => ({ const: value })),
        fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
        fc.record({ anyOf: several }),
        fc.record({ allOf: fc.array(tie('object'), { minLength: 1, maxLength: 2 }) }),
        ...(hasAllKeywords
          ? [
              fc.record({ oneOf: several }),
              fc.record({ allOf: several }),
              fc.record({ not: tie('schema') }),
              fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
              fc.constantFrom<JsonObject>(
                { type: 'integer', minimum: 0 },
                { type: 'string', minLength: 1, pattern: '^x' },
                { type: ['string', 'null'], maxLength: 0 },
                { type: 'number', multipleOf: 0.5 },
                { type: 'string', format: 'uuid' },
                { type: 'string', 'x-extensible-enum': ['x'] },
                {},
              ),
            ]
          : []),
      ),
    };
  }).schema;
}

const scalarType: fc.Arbitrary<JsonObject> = sortOf('string', 'number', 'boolean', 'null');

/** Random schemas with their names, some of which refer to others. */
export function sampleSchemas(
  extent: Extent,
  count: number,
  seed: number,
): readonly (readonly [name: string, schema: JsonObject])[] {
  return Array.from({ length: count }, (_, position) => {
    const [schema = {}] = fc.sample(schemaArbitrary(extent, position, count), {
      seed: seed + position,
      numRuns: 1,
    });
    return [`S${position}`, schema] as const;
  });
}

/** Random values that such schemas often speak of. */
export function sampleValues(count: number, seed: number): readonly Json[] {
  return fc.sample(anyValue, { seed, numRuns: count });
}

/** What one batch has compared. */
export interface Comparison {
  readonly accepted: number;
  readonly refused: number;
}

/**
 * Guarantees for random schemas and random values that the generated validator and Ajv at run time agree, and that the
 * emitted type takes every value that is valid; where types can say all that the schemas say, that it takes no other.
 */
export async function compareRandomly(
  extent: Extent,
  { schemas: count, values: number }: { readonly schemas: number; readonly values: number },
  seed: number,
): Promise<Comparison> {
  const definitions = sampleSchemas(extent, count, seed);
  const values = sampleValues(number, seed);
  const contract = buildContract(definitions);
  await using contractPackage = await buildPackage(contract);
  const url = pathToFileURL(join(contractPackage.folder, 'dist/index.js')).href;
  const generated = (await import(url)) as Readonly<Record<string, (value: Json) => boolean>>;
  const ajv = new Ajv2020({ strict: false, ownProperties: true, multipleOfPrecision: 9 });
  ajv.addFormat('uuid', /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu);
  const published = publishSchemas(contract);

  const lines = ["import type * as contract from '@trade/contract';"];
  const counts = { accepted: 0, refused: 0 };
  for (const [name, definition] of definitions) {
    const validate = ajv.compile({ ...published, $ref: `#/$defs/${name}` });
    for (const value of values) {
      const isValid = validate(value);
      const what = `seed ${seed}: ${name} = ${JSON.stringify(definition)}, ${JSON.stringify(value)}`;
      expect(generated[`is${name}`]?.(value), what).toBe(isValid);
      counts[isValid ? 'accepted' : 'refused'] += 1;
      if (!isValid && extent === 'all of JSON Schema') continue;
      lines.push(
        `declare const value${lines.length}: ${typeOf(value)};`,
        ...(isValid ? [] : ['// @ts-expect-error']),
        `export const ${name}_${lines.length}: contract.${name} = value${lines.length};`,
      );
    }
  }
  await mkdir(join(contractPackage.project, 'src'));
  await writeFile(join(contractPackage.project, 'src/values.ts'), `${lines.join('\n')}\n`);
  try {
    await compileStrictly(contractPackage.project, ['src'], {
      compiler: 'ts7',
      resolution: 'nodenext',
      from: 'built',
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}: ${explain(message, lines, definitions)}`, { cause: error });
  }
  return counts;
}

/** What a compiler says, with the lines and the schemas that it says it of. */
function explain(
  message: string,
  lines: readonly string[],
  definitions: readonly (readonly [string, JsonObject])[],
): string {
  const told = Array.from(message.matchAll(/values\.ts\((\d+),/gu), ([, line]) => Number(line));
  const shown = told.slice(0, 3).flatMap((line) => lines.slice(Math.max(line - 2, 0), line + 1));
  const schemas = definitions.filter(([name]) =>
    shown.some((line) => line.includes(`contract.${name} `)),
  );
  return [message, ...shown, ...schemas.map((schema) => JSON.stringify(schema))].join('\n');
}

/**
 * The type of one value. An object is said to lack what it lacks, or TypeScript would refuse it for a type whose
 * members are all optional.
 */
function typeOf(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(typeOf).join(', ')}]`;
  if (!isJsonObject(value)) return literal(value).text;
  const presentMembers = Object.entries(value).map(
    ([name, inner]) => `${name}: ${typeOf(inner ?? null)}`,
  );
  const lacking = members.filter((name) => !Object.hasOwn(value, name));
  return `{ ${[...presentMembers, ...lacking.map((name) => `${name}?: never`)].join('; ')} }`;
}
