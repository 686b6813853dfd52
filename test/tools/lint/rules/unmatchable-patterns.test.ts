import { expect, it } from 'vitest';
import { lintFiles } from '../lint-case.ts';
import { openapi } from '../parcels.ts';

/** Patterns that nothing matches, for reasons of every kind. */
const impossible = [
  '^a$b',
  'a^b',
  '$a',
  '[]',
  'a[]b',
  '[^\\s\\S]',
  '(?=b)a',
  '^(?!a)a',
  'a(?<!a)b',
  '^(?:a$b|c^d)$',
  'a\\bb',
  '^(?=.{8,}$)[a-z]{0,7}$',
] as const;

/** Patterns that look like those, each with a text that matches. */
const possible = [
  ['/abc/', '/abc/'],
  ['^abc$', 'abc'],
  ['^$', ''],
  ['a*^b', 'b'],
  ['a|[]', 'a'],
  ['(?:a$b)?c', 'c'],
  ['(?:(?=a)b)*', ''],
  ['\\ba\\B', 'ab'],
  ['(?=a)\\w', 'a'],
  ['^(?=.*a)(?=.*b)[ab]{2}$', 'ab'],
  ['(?<!x)^a', 'a'],
  ['(a)\\1', 'aa'],
  ['^\\p{L}+$', 'é'],
  ['\\$a\\^', '$a^'],
  ['[$^]a', '$a'],
] as const;

it('tells patterns that no text matches from those that only look so', async () => {
  for (const [pattern, text] of possible) expect(text).toMatch(new RegExp(pattern, 'u'));
  const patterns = [...impossible, ...possible.map(([pattern]) => pattern)];
  const properties = patterns.map(
    (pattern, index) =>
      `        p${index}: { type: string, pattern: ${JSON.stringify(pattern)}, x-source: '3' }\n`,
  );
  const { diagnostics } = await lintFiles({ 'openapi.yaml': openapi + properties.join('') });
  const said = diagnostics.filter(({ code }) => code === 'unmatchable-pattern');
  expect(said.map(({ pointer }) => Number(/\/p(\d+)\/pattern$/u.exec(pointer ?? '')?.[1]))).toEqual(
    [...impossible.keys()],
  );
});

it('believes no pattern impossible that matches a text of all texts up to three signs', () => {
  const signs = ['', 'a', 'b', 'c', '/', ' ', '\n', '$', '^'];
  const texts = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => x + y + z)));
  for (const pattern of impossible) {
    const expression = new RegExp(pattern, 'u');
    expect(
      texts.filter((text) => expression.test(text)),
      pattern,
    ).toEqual([]);
  }
});
