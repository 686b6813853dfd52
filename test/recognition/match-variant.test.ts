import { expect, test } from 'vitest';
import { matchVariant } from '../../generator/recognition/match-variant.ts';
import type { Json } from '../../generator/json/json.ts';
import type { Condition, JsonSchema } from '../../generator/schema/model.ts';

const matches = (schema: JsonSchema, body: Json, expression = '$request.body#/a'): boolean => {
  const when: readonly Condition[] = [{ expression, schema }];
  const variant = {
    kind: 'variant',
    name: 'list',
    schema: 'List',
    pointer: 'asyncapi#',
    source: [],
    when,
    rename: {},
  } as const;
  return matchVariant([variant], body) === variant;
};

test.each<[schema: JsonSchema, value: Json, isMet: boolean]>([
  [{ type: 'integer' }, 1, true],
  [{ type: 'integer' }, 1.5, false],
  [{ type: 'number' }, 1, true],
  [{ type: ['string', 'null'] }, null, true],
  [{ type: ['string', 'null'] }, 1, false],
  [{ type: 'array' }, [], true],
  [{ type: 'object' }, [], false],
  [{ const: 'x' }, 'x', true],
  [{ enum: ['x', null] }, null, true],
  [{ enum: ['x', null] }, 'y', false],
  [{ not: { const: 'x' } }, 'y', true],
  [{ not: { const: 'x' } }, 'x', false],
  [true, 'x', true],
  [false, 'x', false],
  [{ minLength: 1 }, 'x', false],
  [{ type: 'string', pattern: '^x' }, 'xy', true],
  [{ type: 'string', pattern: '^x' }, 'yx', false],
  [{ type: 'string', pattern: '^1' }, 1, false],
])('the condition %j on the value %j: %s', (schema, value, isMet) => {
  expect(matches(schema, { a: value })).toBe(isMet);
});

test('a member that is absent meets only the schema `false`', () => {
  expect(matches(false, {})).toBe(true);
  expect(matches(true, {})).toBe(false);
  expect(matches({ not: { const: 'x' } }, {})).toBe(false);
});

test('a condition on the whole body, on an item, and on another part of the request', () => {
  expect(matches({ type: 'array' }, [1], '$request.body')).toBe(true);
  expect(matches({ type: 'array' }, [1], '$request.body#')).toBe(true);
  expect(matches({ const: 1 }, [1], '$request.body#/0')).toBe(true);
  expect(matches(true, {}, '$request.header.x-form')).toBe(false);
});
