import { isJsonObject, type Json, type JsonObject } from '../../generator/json/json.ts';

/** Schemas by name; what a contract speaks of is `A`. */
export type Schemas = Readonly<Record<string, Json>>;

/** A reference to a schema. */
export const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** An object that has to have these members. */
export const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** A list of a length, made item by item. */
export const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A document that sends the schema `A` in every form, answers with it and is notified of it, so that every target meets it. */
export function documentOf(schemas: Schemas, more: JsonObject = {}): JsonObject {
  const content = { 'application/json': { schema: to('A') } };
  return {
    openapi: '3.1.2',
    info: { title: 'Attack', version: '1.0.0' },
    paths: {
      '/a/{id}': {
        post: {
          operationId: 'send',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'deep', in: 'query', style: 'deepObject', schema: to('A') },
          ],
          requestBody: {
            content: {
              ...content,
              'application/x-www-form-urlencoded': { schema: to('A') },
              'multipart/form-data': { schema: to('A') },
            },
          },
          responses: {
            200: { description: 'Done.', headers: { 'x-a': { schema: to('A') } }, content },
          },
        },
      },
    },
    webhooks: {
      told: { post: { operationId: 'told', requestBody: { content }, responses: {} } },
    },
    components: { schemas },
    ...more,
  };
}

/** Several sets of schemas in one, each `A` of them a member of the one `A`. */
export function together(sets: readonly Schemas[]): Schemas {
  const all = sets.flatMap((schemas, index) =>
    Object.entries(schemas).map(([name, schema]) => [
      `S${index}${name}`,
      renameReferences(schema, `S${index}`),
    ]),
  );
  const members = sets.map((_, index) => [`s${index}`, to(`S${index}A`)]);
  return {
    ...(Object.fromEntries(all) as Schemas),
    A: { type: 'object', properties: Object.fromEntries(members) as JsonObject },
  };
}

function renameReferences(schema: Json, prefix: string): Json {
  if (Array.isArray(schema)) {
    return (schema as readonly Json[]).map((item) => renameReferences(item, prefix));
  }
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value = null]) => [
      keyword,
      keyword === '$ref' && typeof value === 'string'
        ? value.replace('/schemas/', `/schemas/${prefix}`)
        : renameReferences(value, prefix),
    ]),
  );
}

/** Forty schemas, each of which refers twice to the next: 2⁴⁰ ways lead to the last. */
function doubling(refer: (next: JsonObject) => JsonObject): Schemas {
  return {
    A: to('L0'),
    ...Object.fromEntries(times(40, (level) => [`L${level}`, refer(to(`L${level + 1}`))])),
    L40: object({ end: { type: 'string' } }),
  };
}

function nested(depth: number, around: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = around(schema);
  return schema;
}

/** Schemas whose written size says little about how much there is to walk, and which are all generated. */
export const soundShapes: Readonly<Record<string, Schemas>> = {
  'doubling in properties': doubling((next) => object({ a: next, b: next })),
  'doubling in optional properties': doubling((next) => ({
    type: 'object',
    properties: { a: next, b: next },
  })),
  'doubling in allOf': doubling((next) => ({ allOf: [next, next] })),
  'doubling in anyOf': doubling((next) => ({ anyOf: [next, { allOf: [next] }] })),
  'doubling in oneOf': doubling((next) => ({ oneOf: [next, { not: next }] })),
  'doubling in if': doubling((next) => ({ if: next, then: next, else: next })),
  'doubling in items': doubling((next) => ({
    type: 'array',
    minItems: 2,
    items: { allOf: [next, next] },
  })),
  'doubling in prefixItems': doubling((next) => ({
    type: 'array',
    prefixItems: [next, next],
    minItems: 2,
  })),
  'a circle by items': { A: { type: 'array', minItems: 1, items: to('A') } },
  'a circle by the first item': { A: { type: 'array', prefixItems: [to('A')], minItems: 1 } },
  'a circle by contains': { A: { type: 'array', contains: to('A') } },
  'a circle by a required property': { A: object({ a: to('A') }) },
  'a circle of two by two required properties': {
    A: object({ a: to('B'), b: to('B') }),
    B: object({ a: to('A'), b: to('A') }),
  },
  'a circle by other properties': { A: { type: 'object', additionalProperties: to('A') } },
  'a circle by the names of properties': { A: { type: 'object', propertyNames: to('A') } },
  'a circle by a pattern': { A: { type: 'object', patternProperties: { '^a': to('A') } } },
  'a circle by what is not evaluated': {
    A: { unevaluatedProperties: to('A'), unevaluatedItems: to('A') },
  },
  'a circle of unions': {
    A: { oneOf: [{ type: 'null' }, object({ b: to('B') })] },
    B: { anyOf: [object({ a: to('A') }), { type: 'array', items: to('B') }] },
  },
  'as many levels of allOf as the budget allows': {
    A: nested(80, (inner) => ({ allOf: [inner] })),
  },
  'as many levels of members as the budget allows': { A: nested(85, (a) => object({ a })) },
  'a hundred required properties at each of five levels': Object.fromEntries(
    ['A', 'B', 'C', 'D', 'E'].map((name, level, names) => {
      const next = names[level + 1];
      const inner = next === undefined ? { type: 'string' } : to(next);
      return [name, object(Object.fromEntries(times(100, (index) => [`p${index}`, inner])))];
    }),
  ),
};

/** Schemas that a value is checked by in order to be checked by them. */
export const endlessShapes: Readonly<Record<string, Schemas>> = {
  'of itself': { A: { allOf: [to('A')] } },
  'in allOf': { A: { allOf: [to('B')] }, B: { allOf: [to('A'), { type: 'object' }] } },
  'in anyOf': { A: { anyOf: [to('B'), { type: 'null' }] }, B: { anyOf: [to('A')] } },
  'in oneOf': { A: { oneOf: [to('B')] }, B: { oneOf: [to('A'), { type: 'null' }] } },
  'in its opposite': { A: { not: to('A') } },
  'in if': { A: { if: to('A'), then: { type: 'string' } } },
  'in then': { A: { if: { type: 'string' }, then: to('A') } },
  'in what depends on a member': { A: { type: 'object', dependentSchemas: { a: to('A') } } },
  'of three, twice': {
    A: { allOf: [to('B'), to('C')] },
    B: { anyOf: [to('C'), to('A')] },
    C: { oneOf: [to('A'), to('B')] },
  },
  'of a union that its alternatives extend': {
    A: { oneOf: [to('B'), to('C')] },
    B: { allOf: [to('A'), object({ kind: { const: 'b' } })] },
    C: { allOf: [to('A'), object({ kind: { const: 'c' } })] },
  },
};
