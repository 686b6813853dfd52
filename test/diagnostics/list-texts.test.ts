import { expect, it } from 'vitest';
import { listTexts } from '../../generator/diagnostics/list-texts.ts';

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('lists %j', (texts, expected) => {
  expect(listTexts(texts, 'or')).toBe(expected);
  expect(listTexts(texts, 'or')).toBe(
    new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts),
  );
});
