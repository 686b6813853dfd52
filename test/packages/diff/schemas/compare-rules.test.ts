import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../generator/json/json.ts';
import { compareSchemas } from './compare.ts';

const codesOf = (base: JsonObject, head: JsonObject): readonly string[] =>
  compareSchemas({ definition: base }, { definition: head }).map(({ code }) => code);

test.each<[base: JsonObject, head: JsonObject, codes: readonly string[]]>([
  [{ contains: {} }, { contains: {}, minContains: 0 }, ['limit-loosened']],
  [{ contains: {}, minContains: 0 }, { contains: {} }, ['limit-tightened']],
  [{ contains: {} }, { contains: {}, minContains: 1 }, []],
  [{ contains: {} }, { contains: {}, minContains: 2 }, ['limit-tightened']],
  [{ type: 'string' }, { type: 'string', minLength: 0 }, []],
  [{ type: 'array', minItems: 0 }, { type: 'array' }, []],
  [{ type: 'object', minProperties: 1 }, { type: 'object' }, ['limit-loosened']],
  [{ minimum: 0 }, {}, ['limit-loosened']],
  [{}, { minimum: 0 }, ['limit-tightened']],
])('a limit that changes from %j to %j gives %j', (base, head, codes) => {
  expect(codesOf(base, head)).toEqual(codes);
});

const undeclared = { type: 'object', required: ['token'], properties: { id: {} } };

test.each<[head: JsonObject, codes: readonly string[]]>([
  [{ type: 'object', properties: { id: {} } }, ['member-removed']],
  [{ type: 'object', properties: { id: {} }, additionalProperties: true }, ['member-optional']],
  [
    { type: 'object', properties: { id: {} }, additionalProperties: false },
    ['member-refused', 'rule-added'],
  ],
  [{ type: 'object', properties: { id: {}, token: {} } }, ['member-optional']],
])('a member that was required without a declaration is gone from %j: %j', (head, codes) => {
  expect(codesOf(undeclared, head)).toEqual(expect.arrayContaining([...codes]));
  expect(codesOf(undeclared, head).includes('member-optional')).toBe(
    codes.includes('member-optional'),
  );
});
