import { describe, expect, test } from 'vitest';
import { normalizePattern } from '../../generator/patterns/normalize-pattern.ts';

/** What is written, what is read, and texts that it accepts and refuses. */
const normalized: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['/^[a-z]+$/', '^[a-z]+$', ['abc'], ['/abc/', 'ABC']],
  ['/^\\d{3}$/g', '^\\d{3}$', ['123'], ['1234']],
  ['^[\\w-.]+$', '^[\\w\\-.]+$', ['a-b.c'], ['a b']],
  ['^\\_\\-\\@\\"$', '^_-@"$', ['_-@"'], ['_']],
  ['^a{,3}$', '^a{0,3}$', ['', 'aaa'], ['aaaa']],
  ['^{id}$', '^\\{id\\}$', ['{id}'], ['id']],
  ['^a]$', '^a\\]$', ['a]'], ['a']],
  ['\\Aab\\z', '^ab$', ['ab'], ['cab']],
  ['^[[:alpha:]_]+$', '^[A-Za-z_]+$', ['a_B'], ['1']],
  ['^\\p{Alnum}[\\p{Digit}-]$', '^[A-Za-z\\d][\\d-]$', ['a1', 'b-'], ['1a']],
  ['^a{1-3}$', '^a{1,3}$', ['aaa'], ['', 'a{1-3}']],
  ['^\\x{41}$', '^\\u{41}$', ['A'], ['x']],
  ['^[\\.\\&\\]]$', '^[.&\\]]$', ['.', ']'], ['a']],
];

describe('normalizePattern', () => {
  test.each(normalized)('reads %s as %s', (source, pattern, accepted, refused) => {
    const result = normalizePattern(source);
    expect(result.pattern).toBe(pattern);
    expect(result.problem).toMatch(
      /^(?:is not a regular expression of ECMA-262: .+|has the slashes)/,
    );
    const expression = new RegExp(pattern, 'u');
    for (const text of accepted) expect(expression.test(text), text).toBe(true);
    for (const text of refused) expect(expression.test(text), text).toBe(false);
  });

  test.each(['^a$', '^/path/$', '/path/', '^\\/a\\/$', '', '^[^\\s-]$', '^\\p{L}+$', '[/]'])(
    'leaves %s as it is',
    (source) => {
      expect(normalizePattern(source)).toEqual({ pattern: source });
    },
  );

  test.each(['(', '(?i)abc', '/^abc$/i', '[z-a]', 'a**', '\\'])(
    'does not normalize %s, and states why',
    (source) => {
      const { pattern, problem } = normalizePattern(source);
      expect(pattern).toBeUndefined();
      expect(problem).toBeTypeOf('string');
    },
  );
});
