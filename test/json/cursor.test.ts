import { describe, expect, it } from 'vitest';
import { cursorsIn, toCursor } from '../../generator/json/cursor.ts';
import type { Json, JsonObject } from '../../generator/json/json.ts';

describe('a walk over all values', () => {
  const pointersIn = (value: JsonObject): readonly string[] =>
    Array.from(cursorsIn(toCursor(value, 'openapi')), ({ pointer }) => pointer);

  it('yields them in the order in which they are written', () => {
    expect(pointersIn({ b: [1, { c: null }], a: 'x' })).toEqual([
      'openapi#',
      'openapi#/b',
      'openapi#/b/0',
      'openapi#/b/1',
      'openapi#/b/1/c',
      'openapi#/a',
    ]);
  });

  it('goes through an array as long as the budget of a contract allows', () => {
    expect(pointersIn({ values: Array.from({ length: 300_000 }, () => 1) })).toHaveLength(300_002);
  });

  it('goes through a value that is nested 20,000 deep', () => {
    let value: Json = 1;
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    let count = 0;
    for (const { value: at } of cursorsIn(toCursor({ value }, 'openapi'))) if (at !== 1) count += 1;
    expect(count).toBe(20_001);
  });
});
