import { expect, test } from 'vitest';
import { Cursor } from '../../generator/json/cursor.ts';
import type { JsonObject } from '../../generator/json/json.ts';
import { conjunctsAt } from '../../generator/schema/visit.ts';

const pointersOf = (schemas: JsonObject, name: string): readonly string[] =>
  conjunctsAt(Cursor.ofDocument(schemas, 'openapi').child(name)).map(({ pointer }) => pointer);

test('the schemas that every valid value matches are the schema, its references and its `allOf`', () => {
  const schemas = {
    a: { $ref: '#/b', maximum: 1 },
    b: { allOf: [{ $ref: '#/c' }, { minimum: 0 }], anyOf: [{ type: 'number' }] },
    c: { allOf: [{ $ref: '#/a' }] },
  };
  expect(pointersOf(schemas, 'a').toSorted()).toEqual([
    'openapi#/a',
    'openapi#/b',
    'openapi#/b/allOf/0',
    'openapi#/b/allOf/1',
    'openapi#/c',
    'openapi#/c/allOf/0',
  ]);
});

test('ten thousand nested `allOf` need no deep call stack', () => {
  let schema: JsonObject = {};
  for (let depth = 0; depth < 10_000; depth += 1) schema = { allOf: [schema] };
  expect(pointersOf({ a: schema }, 'a')).toHaveLength(10_001);
});
