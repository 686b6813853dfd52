import { expect, test } from 'vitest';
import type { JsonSchema } from '../../generator/schema/model.ts';
import { indexSchemas } from '../../generator/schema/references.ts';
import { shapeOf, type ValueShape } from '../../generator/schema/value-shape.ts';

/** Returns how many levels of members below `next` a shape describes. */
function levelsOf({ properties }: ValueShape): number {
  const next = properties?.['next'];
  return next === undefined ? 0 : 1 + levelsOf(next);
}

function countOf({ items, properties = {} }: ValueShape): number {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return inner.reduce((sum, shape) => sum + countOf(shape), 1);
}

const index = indexSchemas({ schemas: [] });

test('a shape has members and elements of several levels', () => {
  let schema: JsonSchema = { type: 'integer' };
  for (let level = 0; level < 10; level++)
    schema = { type: 'object', properties: { next: schema } };
  expect(levelsOf(shapeOf(index, schema))).toBe(10);
});

test('a schema that refers to itself has a shape of limited size, which treats its members alike', () => {
  const definition = {
    type: 'object',
    properties: Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, { $ref: '#/components/schemas/Tree' }]),
    ),
  };
  const trees = indexSchemas({
    schemas: [{ kind: 'schema', pointer: 'openapi#', source: [], name: 'Tree', definition }],
  } as never);
  const shape = shapeOf(trees, { $ref: '#/components/schemas/Tree' });
  expect(countOf(shape)).toBeLessThanOrEqual(2000);
  expect(shape.properties?.['c']).toEqual(shape.properties?.['a']);
});
