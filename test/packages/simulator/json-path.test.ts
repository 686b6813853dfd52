import { describe, expect, it } from 'vitest';
import {
  expandPath,
  mergeJson,
  pathsOf,
  readPointer,
  replaceAt,
} from '../../../packages/simulator/src/sending/json-path.ts';
import type { Json } from 'countersign/kit';

const value: Json = { a: [{ b: 1 }, { b: 2 }], 'c/d~': { '': null } };

describe('paths in JSON', () => {
  it.each<[string, Json | undefined]>([
    ['', value],
    ['/a/1/b', 2],
    ['/c~1d~0/', null],
    ['/a/2', undefined],
    ['/toString', undefined],
    ['/a/0/b/x', undefined],
    ['a', undefined],
  ])('reads the pointer %s', (pointer, expected) => {
    expect(readPointer(value, pointer)).toEqual(expected);
  });

  it('replaces, adds and removes values without a change of the original', () => {
    const before = JSON.stringify(value);
    expect(replaceAt(value, ['a', 1, 'b'], 'x')).toEqual({ ...value, a: [{ b: 1 }, { b: 'x' }] });
    expect(replaceAt(value, ['a', 0], undefined)).toEqual({ ...value, a: [{ b: 2 }] });
    expect(replaceAt(value, ['a'], undefined)).toEqual({ 'c/d~': { '': null } });
    expect(replaceAt(value, ['e'], 1)).toEqual({ ...value, e: 1 });
    expect(replaceAt(value, [], 1)).toBe(1);
    expect(Object.keys(replaceAt({}, ['__proto__'], 1) as object)).toEqual(['__proto__']);
    expect(JSON.stringify(value)).toBe(before);
  });

  it('lists and expands paths', () => {
    expect(pathsOf({ a: [1] })).toEqual([[], ['a'], ['a', 0]]);
    expect(expandPath(value, ['a', '*', 'b'])).toEqual([
      ['a', 0, 'b'],
      ['a', 1, 'b'],
    ]);
    expect(expandPath(value, ['a', '*', 'x'])).toEqual([]);
  });

  it('merges objects at any depth, and replaces everything else', () => {
    expect(mergeJson({ a: { b: 1, c: 2 }, d: [1] }, { a: { b: 3 }, d: [2], e: null })).toEqual({
      a: { b: 3, c: 2 },
      d: [2],
      e: null,
    });
    expect(mergeJson({ a: { b: 1 } }, { a: null })).toEqual({ a: null });
    expect(mergeJson(undefined, { a: 1 })).toEqual({ a: 1 });
  });

  it('merges members that are named like those of every object', () => {
    const merged = mergeJson({}, JSON.parse('{"__proto__":{"a":1},"constructor":2}'));
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1},"constructor":2}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});
