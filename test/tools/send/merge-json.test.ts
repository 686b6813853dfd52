import { expect, it } from 'vitest';
import { mergeJson } from '../../../generator/tools/send/merge-json.ts';

it.each<[string, Parameters<typeof mergeJson>, unknown]>([
  ['at any depth', [{ a: { b: 1, c: 2 } }, { a: { b: 3 } }], { a: { b: 3, c: 2 } }],
  ['lists as a whole', [{ a: [1, 2] }, { a: [3] }], { a: [3] }],
  ['by null', [{ a: { b: 1 } }, { a: null }], { a: null }],
  ['where there was nothing', [undefined, { a: 1 }], { a: 1 }],
])('replaces members %s', (_, parameters, merged) => {
  expect(mergeJson(...parameters)).toEqual(merged);
});

it('keeps members that are named like those of every object', () => {
  const merged = mergeJson({}, JSON.parse('{"__proto__":{"a":1},"constructor":2}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1},"constructor":2}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
