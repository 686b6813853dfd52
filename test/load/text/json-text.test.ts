import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultBudgets } from '../../../generator/load/budgets.ts';
import { createJsonPositions, readJson } from '../../../generator/load/text/json-text.ts';
import { parseText } from '../../../generator/load/text/parse.ts';
import { createOracle, pathsIn } from './oracle.ts';
import { runsOf } from '../../some.ts';

// No key is a backslash alone: V8 14.6 takes the key `"` for that one, where it has seen it before.
const awkward = fc.constantFrom('a:b', '"', 'a\\', '\\"', '}', '],', 'ä', '{"x":1}', '', '/', '0');
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(0, -1.5e-7, true, null),
    awkward,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 4 }),
  ),
})).value;
// With ten spaces, values are long enough to be remembered by where they end.
const spacing = fc.constantFrom(undefined, 2, 10, '\n');

describe('a text that is JSON', () => {
  test('has its places where another parser finds them', () => {
    fc.assert(
      fc.property(fc.dictionary(awkward, json), spacing, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const [{ locate }, oracle] = [createJsonPositions(text), createOracle(text)];
        for (const path of pathsIn(value)) expect(locate(path)).toEqual(oracle(path));
      }),
      { numRuns: runsOf(500) },
    );
  });

  test('has as many members as are written', () => {
    fc.assert(
      fc.property(json, spacing, (value, space) => {
        const text = JSON.stringify({ value }, undefined, space);
        const count = (inside: unknown): number =>
          typeof inside !== 'object' || inside === null
            ? 0
            : Object.values(inside).reduce<number>(
                (sum, member) => sum + count(member),
                Array.isArray(inside) ? 0 : Object.keys(inside).length,
              );
        expect(readJson(text)).toEqual({ value: { value }, members: count({ value }) });
      }),
    );
  });

  test.each([
    ['a key that stands twice', '{\n "a": 1,\n "b": {},\n "a": 2\n}', 'yaml-syntax', 4],
    ['a key that stands twice deep inside', '{"a":[{"x":":",\n"x":{}}]}', 'yaml-syntax', 2],
    ['a key that stands twice in other letters', '{"a": 1,\n"\\u0061": 2}', 'yaml-syntax', 2],
    ['a key with a meaning of its own', '{"a":{\n"__proto__":{}}}', 'reserved-name', 2],
    ['a number that no double holds', '{"a":[1,\n1e400]}', 'yaml-syntax', 2],
    ['too deep a nesting', `${'['.repeat(300)}\n${']'.repeat(300)}`, 'contract-too-large', 1],
  ])('is refused for %s', async (_, text, code, line) => {
    const { errors, value } = await parseText(text, { ...defaultBudgets, maxDepth: 100 });
    expect(value).toBeUndefined();
    expect(errors.map((flaw) => [flaw.code, flaw.line])).toEqual([[code, line]]);
  });

  test.each([
    ['YAML that begins like JSON', '{ a: 1, b: [x] }', { a: 1, b: ['x'] }],
    ['comments', '{\n  # one\n  "a": 1\n}', { a: 1 }],
    ['text around', '\n\n {"a": "b"}\n', { a: 'b' }],
  ])('is not required: %s', async (_, text, expected) => {
    expect((await parseText(text, defaultBudgets)).value).toEqual(expected);
  });
});
