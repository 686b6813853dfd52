import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { isProvenLinear } from '../../generator/patterns/matching-cost.ts';
import { dangerousPatterns } from './dangerous-patterns.ts';

test.each([
  ['alternatives that the next character decides', '^(?:ab|cd)*$'],
  ['a repetition that a different character ends', String.raw`^\d+x$`],
  ['an optional part that the next character decides', '^(?:ab)?c$'],
  ['alternatives with the same start, matched once', '^(?:ab|ac)$'],
  ['a bounded repetition of such alternatives', '^(?:ab|ac){3}$'],
  ['a repetition that matches no text', 'a{0}b'],
  ['attempts that fail at their first character', String.raw`\d{3}-\d{4}`],
  ['a repetition at the end, without an anchor', 'a+'],
  ['repetitions at the ends of alternatives', '^a+|b+'],
  ['a lookahead before a repetition', String.raw`^(?=.*\d)[a-z\d]+$`],
  ['a lookbehind of one character', '^a+(?<=a)b$'],
  ['an empty pattern', ''],
  ['two repetitions at the end', String.raw`\d*\w*`],
  ['a repetition at the end that one before it overlaps', 'ba*?b{2,}'],
  ['a group before a repetition at the end', String.raw`(?:\w)\s*?$`],
  ['an optional repetition at the end', String.raw`^(?:(?:\w*)?)`],
  ['repetitions before the end of the text', '^a{1,100000}b*?$'],
  ['a bounded repetition that ends with optional parts', String.raw`^(?:\w{1,3}\d?a{1,3}\b){2}`],
  ['a repetition of groups that the next character decides', String.raw`^(?:b{2}|\d)*$`],
  ['an optional part before such a repetition', '^a?(?:b{2})+$'],
  ['a lookahead after the first character', 'b(?=a*b)'],
])('proves %s: %s', (_, pattern) => {
  expect(isProvenLinear(pattern)).toBe(true);
});

test.each([
  ['alternatives that overlap, repeated', '^(?:a|ab)*c$'],
  ['a repetition of a repetition', '^(?:a+)+b$'],
  ['a repetition of what can be empty', '^(?:a?)*b$'],
  ['two repetitions of the same characters', '^a*a*b$'],
  ['a long bound that is as good as none', '^a{1,100000}a{1,100000}b$'],
  ['a repetition that each attempt reads again', 'a+b'],
  ['a repetition after a character that it reads, too', String.raw`\s\s*x`],
  ['a lookahead with a repetition, repeated', '^(?:a(?=a*b))*c$'],
  ['a lookbehind of more than a character', '^(?:a|(?<=a+)b)+c$'],
  ['a word boundary between repetitions', String.raw`^\w+\b\w+\b\w+-$`],
  ['a reference to a group', String.raw`^(a+)\1$`],
  ['a text that is not a pattern', '(a'],
  ['a repetition before one with a lower limit', 'b*?[^a]{2,}'],
  ['a group that is repeated as a whole', String.raw`(?:\w(?:\w+){2})`],
  ['a repetition of an assertion', '^(?:(?<=a))+'],
  ['a repetition of several assertions', '(?:$$){0,40}$'],
  ['a lookahead that reads the same characters again', '^b*(?=a*b)$'],
  [
    'a repetition of a bounded repetition that has to end',
    String.raw`(?:(?:\b[ab](?!b)$){2}(?=a*b)\b)$`,
  ],
])('does not prove %s: %s', (_, pattern) => {
  expect(isProvenLinear(pattern)).toBe(false);
});

test('proves a pattern of quadratic time only where the product with the length is small', () => {
  const lengths = [1, 10, 1000, 2000, 10_000, Infinity];
  const proven = lengths.filter((length) => isProvenLinear('^a*a*b$', length));
  expect(proven.length).toBeGreaterThan(0);
  expect(proven).toEqual(lengths.slice(0, proven.length));
  expect(proven).not.toContain(10_000);
});

test('proves no pattern of exponential time, whatever the length', () => {
  expect([1, 10, 100].map((length) => isProvenLinear('^(?:a|a)+$', length))).toEqual([
    false,
    false,
    false,
  ]);
});

test('proves none of the known attacks', () => {
  expect(dangerousPatterns.length).toBeGreaterThan(40);
  expect(dangerousPatterns.filter((pattern) => isProvenLinear(pattern))).toEqual([]);
});

test('takes no long time itself for a pattern of many nested repetitions', () => {
  const nested = `${'(?:'.repeat(40)}a${'){1,9}'.repeat(40)}`;
  const check = new Script('isProvenLinear(nested)');
  expect(check.runInNewContext({ isProvenLinear, nested }, { timeout: 20_000 })).toBe(false);
});
