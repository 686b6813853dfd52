import { describe, expect, it } from 'vitest';
import { isSameJson, jsonDifference, toCanonical } from '../../generator/json/same-json.ts';

describe('two JSON values', () => {
  it.each([
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, undefined],
    [{ a: 1 }, { a: 1, b: undefined }, undefined],
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, ['a', 'b', '1']],
    [[1, 2], [2, 1], ['0']],
    [{}, [], []],
    [null, undefined, []],
  ])('%j and %j first differ at %j', (a, b, path) => {
    expect(jsonDifference(a, b)).toEqual(path);
    expect(isSameJson(a, b)).toBe(path === undefined);
  });

  it('have the same canonical text if only the order of members differs', () => {
    expect(toCanonical({ a: 1, b: { c: 1, d: 2 } })).toBe(toCanonical({ b: { d: 2, c: 1 }, a: 1 }));
    expect(toCanonical([1, 2])).not.toBe(toCanonical([2, 1]));
  });
});
