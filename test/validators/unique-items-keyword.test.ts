import { expect, test } from 'vitest';
import { hasUniqueItems } from '../../generator/validators/unique-items-keyword.ts';
import { createOwnCheck } from '../../generator/validators/own-schemas.ts';

test.each([
  [[], true],
  [[1, '1', true, null, [], {}], true],
  [
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    false,
  ],
  [[{ valueOf: 1 }, { valueOf: 2 }, { toString: null }, { constructor: {} }], true],
  [[{ toString: { valueOf: 1 } }, { toString: { valueOf: 1 } }], false],
])('%j', (items, expected) => {
  expect(hasUniqueItems(items)).toBe(expected);
});

test.each(['draft-07', '2020-12'] as const)('replaces the keyword of Ajv in %s', (draft) => {
  const schema = { properties: { list: { uniqueItems: true } } };
  const check = createOwnCheck({
    name: 'none-prepared',
    draft,
    schema: () => schema,
    parts: ['#'],
  });
  expect(check('#', { list: [{ valueOf: 1 }, { valueOf: 2 }] })).toEqual([]);
  expect(check('#', { list: [{ valueOf: 1 }, { valueOf: 1 }] })).toMatchObject([
    { keyword: 'uniqueItems', instancePath: '/list', message: 'must NOT have duplicate items' },
  ]);
});
