import { expect, it } from 'vitest';
import { prettyJson, visibleText } from '../../../packages/console/components/visible-text.ts';

it.each([
  ['a\u202Eb', 'a⟨U+202E⟩b'],
  ['\u200B', '⟨U+200B⟩'],
  ['\u0000', '⟨U+0000⟩'],
  ['a\tb\r\nc', 'a\tb\nc'],
  ['São ☃ 😀 <b>', 'São ☃ 😀 <b>'],
])('shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it.each([
  ['{"a":1}', '{\n  "a": 1\n}'],
  ['[{"a":[ ],"b":{\n}},\t"c"]', '[\n  {\n    "a": [],\n    "b": {}\n  },\n  "c"\n]'],
  ['{"a":{"b":{"c":[1,2]}}}', JSON.stringify({ a: { b: { c: [1, 2] } } }, undefined, 2)],
  ['{"a":', '{"a":'],
])('indents %j', (text, shown) => {
  expect(prettyJson(text)).toBe(shown);
  expect(prettyJson(shown)).toBe(shown);
});

it.each([
  '10000000000000000.01',
  '1.10',
  '-0',
  '1e400',
  '"a, b: {\\" \\\\"',
  '{"a":1,"a":2}',
  '{"2":1,"1":2,"__proto__":3}',
])('changes nothing but white space in %s', (text) => {
  const shown = prettyJson(`[${text}]`);
  expect(shown.replaceAll(/\n */gu, '').replaceAll(/(?<=[,:]) (?=\d)/gu, '')).toBe(`[${text}]`);
});

it('does not indent brackets without end', () => {
  const text = '['.repeat(20_000) + ']'.repeat(20_000);
  expect(prettyJson(text).length).toBeLessThan(5_000_000);
});
