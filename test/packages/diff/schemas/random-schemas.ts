import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../generator/json/json.ts';
import { isJsonObject } from '../../../../generator/json/json.ts';

/** A schema with the schemas that it refers to, by name. */
export interface RandomSchema {
  readonly definition: JsonObject;
  readonly schemas: Readonly<Record<string, JsonObject>>;
}

const names = ['a', 'b', 'c'] as const;
const words = ['x', 'y', 'zz'] as const;

const scalar: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'string' },
    { type: 'integer' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    { type: ['integer', 'string'] },
    {},
  ),
  fc.constantFrom<JsonObject>(
    ...words.map((word) => ({ const: word })),
    { const: 1 },
    { const: null },
  ),
  fc
    .subarray<Json>([...words, 1, 2, null], { minLength: 1, maxLength: 4 })
    .map((list): JsonObject => ({ enum: list })),
  fc
    .record(
      { minimum: fc.integer({ min: -3, max: 3 }), maximum: fc.integer({ min: 3, max: 6 }) },
      { requiredKeys: [] },
    )
    .map((limits): JsonObject => ({ type: 'integer', ...limits })),
  fc
    .record(
      { minLength: fc.integer({ min: 0, max: 2 }), maxLength: fc.integer({ min: 2, max: 4 }) },
      { requiredKeys: [] },
    )
    .map((limits): JsonObject => ({ type: 'string', ...limits })),
);

const depth = fc.createDepthIdentifier();

/** Small schemas with the keywords that are compared by what they accept. */
const { schema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: depth, withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 4, arbitrary: tie('object') },
    {
      weight: 1,
      arbitrary: fc
        .record(
          {
            items: tie('schema'),
            minItems: fc.integer({ min: 0, max: 1 }),
            maxItems: fc.constant(2),
          },
          { requiredKeys: [] },
        )
        .map((array): JsonObject => ({ type: 'array', ...array })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(tie('schema'), { minLength: 2, maxLength: 3 })
        .map((anyOf): JsonObject => ({ anyOf })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(tie('object'), { minLength: 2, maxLength: 2 })
        .map((allOf): JsonObject => ({ allOf })),
    },
    { weight: 1, arbitrary: fc.constantFrom<JsonObject>({ $ref: '#/$defs/Named' }) },
  ),
  object: fc
    .record(
      {
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), {
          maxKeys: 3,
          depthIdentifier: depth,
        }),
        required: fc.subarray([...names]),
        additionalProperties: fc.oneof(
          { weight: 3, arbitrary: fc.constant<Json>(true) },
          { weight: 2, arbitrary: fc.constant<Json>(false) },
          { weight: 1, arbitrary: scalar },
        ),
      },
      { requiredKeys: ['properties'] },
    )
    .map((object): JsonObject => ({ type: 'object', ...object })),
}));

/** Schemas with one named schema beside. */
export const randomSchema: fc.Arbitrary<RandomSchema> = fc
  .tuple(schema, scalar)
  .map(([definition, named]) => ({ definition, schemas: { Named: named } }));

/** Pairs of a schema and a small change of it: most changes in practice are small. */
export const randomPair: fc.Arbitrary<readonly [RandomSchema, RandomSchema]> = fc.oneof(
  fc.tuple(randomSchema, randomSchema),
  fc
    .tuple(randomSchema, schema, fc.nat())
    .map(([base, part, place]) => [base, withPart(base, part, place)] as const),
);

/** Replaces one subschema of a schema. */
function withPart(base: RandomSchema, part: JsonObject, place: number): RandomSchema {
  let count = 0;
  countSchemas(base.definition, () => (count += 1));
  let left = place % count;
  const replace = (value: JsonObject): JsonObject => {
    left -= 1;
    return left < 0 && left > -2 ? part : mapSchemas(value, replace);
  };
  return { ...base, definition: replace(base.definition) };
}

function countSchemas(value: JsonObject, visit: () => void): void {
  visit();
  mapSchemas(value, (sub) => {
    countSchemas(sub, visit);
    return sub;
  });
}

/** Applies a function to the subschemas of a schema of this file. */
function mapSchemas(value: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  const into = (sub: Json | undefined): Json => (isJsonObject(sub) ? change(sub) : (sub ?? null));
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) => {
      if (keyword === 'properties' && isJsonObject(inner))
        return [
          keyword,
          Object.fromEntries(Object.entries(inner).map(([name, sub]) => [name, into(sub)])),
        ];
      if ((keyword === 'anyOf' || keyword === 'allOf') && Array.isArray(inner))
        return [keyword, (inner as readonly Json[]).map(into)];
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, into(inner)];
      return [keyword, inner ?? null];
    }),
  );
}

/** Rewrites a schema so that it accepts the same values. */
export function rewrite(
  schemas: RandomSchema['schemas'],
  seed: number,
): (of: JsonObject) => JsonObject {
  let state = seed;
  const next = (count: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % count;
  };
  const change = (value: JsonObject): JsonObject => {
    const inner = mapSchemas(value, change);
    const rewritten = rewritings[next(rewritings.length)]?.(inner, schemas) ?? inner;
    return rewritten;
  };
  return change;
}

type Rewriting = (value: JsonObject, schemas: RandomSchema['schemas']) => JsonObject | undefined;

const rewritings: readonly Rewriting[] = [
  () => undefined,
  ({ const: constant, ...rest }) =>
    constant === undefined ? undefined : { ...rest, enum: [constant] },
  ({ enum: list, ...rest }) =>
    Array.isArray(list) && list.length > 1
      ? { ...rest, anyOf: (list as readonly Json[]).map((value) => ({ const: value })) }
      : undefined,
  ({ type, ...rest }) =>
    Array.isArray(type)
      ? { anyOf: (type as readonly string[]).map((name) => ({ ...rest, type: name })) }
      : undefined,
  (value) => ({ allOf: [value] }),
  (value) => ({ anyOf: [value, value] }),
  ({ properties, required, ...rest }) =>
    properties === undefined || required === undefined || rest['anyOf'] !== undefined
      ? undefined
      : { allOf: [{ ...rest, properties }, { required }] },
  ({ properties, ...rest }) =>
    isJsonObject(properties)
      ? { ...rest, properties: Object.fromEntries(Object.entries(properties).toReversed()) }
      : undefined,
  ({ properties, additionalProperties, ...rest }) =>
    isJsonObject(properties) && additionalProperties === false && Object.keys(properties).length > 0
      ? {
          ...rest,
          allOf: Object.entries(properties).map(([name, member]) => ({
            properties: { [name]: member ?? true },
          })),
          unevaluatedProperties: false,
        }
      : undefined,
  ({ anyOf, ...rest }) =>
    Array.isArray(anyOf)
      ? { ...rest, anyOf: [...(anyOf as readonly Json[])].toReversed() }
      : undefined,
  ({ minimum, ...rest }) =>
    typeof minimum === 'number' && rest['type'] === 'integer'
      ? { ...rest, exclusiveMinimum: minimum - 1 }
      : undefined,
  ({ $ref, ...rest }, { Named: named }) =>
    $ref === undefined || named === undefined ? undefined : { ...rest, ...named },
  ({ additionalProperties, ...rest }) => (additionalProperties === true ? rest : undefined),
  (value) => ({ anyOf: [value, { not: {} }] }),
];

const leaf: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'x',
  'y',
  'zz',
  '',
  'xyz',
  'xyzxyz',
  1,
  2,
  0,
  -4,
  7,
  1.5,
  true,
  null,
);

/** Values of which schemas of this file accept some. */
export const randomValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: leaf },
    {
      weight: 3,
      arbitrary: fc.dictionary(fc.constantFrom(...names, 'd'), tie('value'), {
        maxKeys: 4,
      }),
    },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
  ),
})).value;
