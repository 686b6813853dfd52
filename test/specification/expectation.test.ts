import { expect, test } from 'vitest';
import type { JsonObject } from '../../generator/json/json.ts';
import { describeExpectation, expectedMembers } from '../../generator/specification/expectation.ts';

const parameter = (value: JsonObject): JsonObject => ({ components: { parameters: { a: value } } });
const at = ['components', 'parameters', 'a'];

test.each<[root: JsonObject, members: readonly string[], expected: string | undefined]>([
  [parameter({ name: 'a', in: 'query', schema: {} }), at, 'a parameter or a reference to one'],
  [
    parameter({ in: 'query', schema: {}, wrong: 1 }),
    at,
    'a parameter or a reference to one: `name` is missing, `wrong` is not a member of it',
  ],
  [
    parameter({ name: 'a', in: 'query' }),
    at,
    'a parameter or a reference to one: it has neither `schema` nor `content`',
  ],
  [
    { components: { parameters: { a: [] } } },
    at,
    'a parameter or a reference to one: it is a list',
  ],
  [parameter({ $ref: '#/x' }), at, 'a parameter or a reference to one'],
  [{ components: { parameters: [] } }, at.slice(0, 2), 'an object with names of your choice'],
  [{ info: null }, ['info'], 'an info: it is null'],
  [{ servers: {} }, ['servers'], 'a list'],
  [{ servers: [3] }, ['servers', '0'], 'a server: it is a number'],
  [{ info: { title: 3 } }, ['info', 'title'], undefined],
  [{ 'x-a': { b: 1 } }, ['x-a', 'b'], undefined],
])('%j at %j', (root, members, expected) => {
  expect(describeExpectation(root, 'openapi', members)).toBe(expected);
});

test('a place of AsyncAPI that only a reference can have', () => {
  const root = { operations: { a: { channel: { address: '/a' } } } };
  expect(describeExpectation(root, 'asyncapi', ['operations', 'a', 'channel'])).toBe(
    'a reference to a channel: it has no `$ref`',
  );
});

test('the members of an object are those of its grammar', () => {
  expect(expectedMembers({ info: {} }, 'openapi', ['info'])).toContain('title');
  expect(expectedMembers({ info: { title: '' } }, 'openapi', ['info', 'title'])).toEqual([]);
});
