import { Script } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isProvenLinear } from '../../generator/patterns/matching-cost.ts';
import { isSimple } from '../../generator/patterns/pattern-check.ts';
import { recheck } from '../../generator/patterns/recheck.ts';
import { createPatternCheck } from '../../generator/patterns/safe-pattern.ts';
import { trimPattern } from '../../generator/patterns/trim-pattern.ts';
import { dangerousPatterns } from './dangerous-patterns.ts';

/** Patterns that are used as they are written, without recheck. */
const proven = String.raw`
^a$
^[a-z]+$
^\d{11}(?:\d{3})?$
^[A-Z]{3}\d{8,14}[A-Z]{2}\d{2,5}$
^\S+$
^.{1,255}$
^[\s\S]*$
^[a-zA-Z0-9_-]{1,64}$
^\p{L}[\p{L}\p{N} .'-]*$
^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$
[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$
^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$
^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$
^(?:/(?:[^~/]|~[01])*)*$
^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$
^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$
^#(?:[0-9a-fA-F]{3}){1,2}$
^https://[^\s/]+(?:/\S*)?$
^https?://
^\+[1-9]\d{1,14}$
^[^@\s]+@[^@\s]+$
^(?=.*\d)(?=.*[a-z]).{8,}$
^(?:true|false|null)$
^[a-z][a-zA-Z0-9]*$
[a-z]+
\d+
[\w+=,.@-]+
.*
\S
arn:aws:iam::[0-9]{12}:role/.*
arn:[a-z0-9-]+:lambda:[a-zA-Z0-9-]+:\d{12}:layer:[a-zA-Z0-9_-]+
^s3://([^/]+)/(.*?)$
^$|^[a-z]+$
(?:GET|PUT) /[a-z]+
^(?:\d{1,3}\.){3}\d{1,3}$
^v\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$
^(?!-)[a-z0-9-]{1,63}$
^\w+\b$
`
  .trim()
  .split('\n');

/** Patterns that only recheck finds safe. */
const checked = String.raw`
^(?:[a-z]+-)*[a-z]+$
^(?:[a-z0-9]+(?:[._-][a-z0-9]*)*/)*[a-z0-9]*(?:[._-][a-z0-9]*)*$
^(["']).*\1$
^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9]):[0-9]{1,5}
`
  .trim()
  .split('\n');

/** Patterns of quadratic time that recheck finds safe, or could. */
const overlooked = String.raw`
^\S+\s\S+\s?\S*$
^\S+\s\S+\s?\S*\d$
^(?<n>a+)\k<n>b$
^(a+)\1b$
^(?:(?<=a)a|b)+c?a*\d$
`
  .trim()
  .split('\n');

/** Patterns that are replaced by one that matches the same texts in linear time. */
const replaced: readonly (readonly [string, string])[] = [
  [String.raw`.*\S.*`, String.raw`\S`],
  [String.raw`\s+$`, String.raw`\s$`],
  [String.raw`^\s+|\s+$`, String.raw`^\s|\s$`],
  ['(.*)*x', 'x'],
  ['(a+)+$', '(?:a)$'],
  ['[a-z]+@[a-z]+', '[a-z]@[a-z]'],
  [String.raw`([A-Za-z]+)*\d`, String.raw`\d`],
  [String.raw`[\w.]+@[\w-]+\.[a-z]{2,}`, String.raw`[\w.]@[\w-]+\.[a-z][a-z]`],
  [String.raw`(?:[a-z]+-){2}\d`, String.raw`(?:[a-z]-)(?:[a-z]+-)\d`],
];

describe('createPatternCheck', () => {
  test.each(dangerousPatterns)('does not match %s', (pattern) => {
    expect(dangerousPatterns.length).toBeGreaterThanOrEqual(46);
    expect(createPatternCheck()(pattern)).toEqual({
      verdict: expect.stringMatching(/^(?:slow|undecided)$/) as unknown,
    });
  });

  test.each(proven)('proves %s', (pattern) => {
    expect(isProvenLinear(pattern)).toBe(true);
    expect(createPatternCheck()(pattern)).toEqual({ pattern });
  });

  test.each(checked)(
    'keeps %s for short texts only, because only recheck finds it safe',
    (pattern) => {
      const check = createPatternCheck();
      expect(isProvenLinear(pattern, 256)).toBe(false);
      expect(check(pattern, 256)).toEqual({ pattern });
      expect(check(pattern, 257)).toEqual({ verdict: 'unproven' });
      expect(check(pattern)).toEqual({ verdict: 'unproven' });
    },
  );

  test.each(overlooked)(
    'does not match %s with long texts, of which recheck misses an attack',
    (pattern) => {
      const check = createPatternCheck();
      expect(check(pattern).pattern).toBeUndefined();
      expect(check(pattern, 100_000).pattern).toBeUndefined();
      expect(check(pattern, Number.MAX_SAFE_INTEGER).pattern).toBeUndefined();
    },
  );

  test.each(replaced)('replaces %s by %s', (pattern, shorter) => {
    expect(createPatternCheck()(pattern)).toEqual({ pattern: shorter });
  });

  test('keeps a pattern of polynomial time beside a small maxLength, but none of exponential time', () => {
    const check = createPatternCheck();
    expect(check(String.raw`^.*\S.*$`, 100)).toEqual({ pattern: String.raw`^.*\S.*$` });
    expect(check(String.raw`^.*\S.*$`, 10_000)).toEqual({ verdict: 'slow' });
    expect(check(String.raw`^(?:\w|\d)+$`, 20)).toEqual({ verdict: 'slow' });
  });

  test('gives a pattern to recheck once, and not at all with a verdict of an earlier run', () => {
    const pattern = '^(?:a|aa)+$';
    const added: unknown[] = [];
    const check = createPatternCheck({
      find: () => undefined,
      add: (...entry) => added.push(entry),
    });
    check(pattern);
    check(pattern, 1000);
    expect(added).toEqual([[pattern, 'slow']]);
    const checkWithCache = createPatternCheck({
      find: () => 'safe',
      add: (...entry) => added.push(entry),
    });
    expect(checkWithCache(pattern, 256)).toEqual({ pattern });
    expect(added).toHaveLength(1);
  });

  test('decides nothing about patterns beyond a limit for one contract', () => {
    const check = createPatternCheck();
    const verdicts = Array.from({ length: 110 }, (_, index) => {
      const letter = String.fromCodePoint(0x4e_00 + index);
      return check(`^(?:${letter}|${letter})+$`).verdict;
    });
    expect(verdicts.slice(0, 100)).not.toContain('undecided');
    expect(verdicts.slice(100)).toEqual(Array.from({ length: 10 }, () => 'undecided'));
  });
});

const characters = fc.constantFrom(
  'a',
  'b',
  '1',
  '[ab]',
  '[a-z]',
  '[^a]',
  '.',
  String.raw`\d`,
  String.raw`\w`,
);
const quantifiers = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?');
const { pattern: patterns } = fc.letrec<{ pattern: string; sequence: string; element: string }>(
  (tie) => ({
    element: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(characters, quantifiers).map(([character, times]) => character + times),
      fc.tuple(tie('pattern'), quantifiers).map(([inner, times]) => `(?:${inner})${times}`),
    ),
    sequence: fc.array(tie('element'), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
    pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((all) => all.join('|')),
  }),
);
const anchored = fc
  .tuple(fc.constantFrom('', '^'), patterns, fc.constantFrom('', '$'))
  .map(([start, inner, end]) =>
    inner.includes('|') ? `${start}(?:${inner})${end}` : start + inner + end,
  );

describe('isProvenLinear', () => {
  test('proves no pattern that recheck finds vulnerable', () => {
    fc.assert(
      fc.property(anchored, (pattern) => {
        fc.pre(isProvenLinear(pattern));
        expect(['safe', 'undecided']).toContain(recheck(pattern));
      }),
      { numRuns: 60 },
    );
  });

  test('proves every simple pattern', () => {
    fc.assert(
      fc.property(anchored, (pattern) => {
        fc.pre(isSimple(pattern));
        expect(isProvenLinear(pattern)).toBe(true);
      }),
    );
  });
});

/** Returns which texts a pattern matches, or `undefined` where that takes more than a second. */
function matchedBy(pattern: string, texts: readonly string[]): readonly boolean[] | undefined {
  try {
    return matching.runInNewContext({ pattern, texts }, { timeout: 1000 }) as readonly boolean[];
  } catch {
    return undefined;
  }
}

const matching = new Script('texts.map((text) => new RegExp(pattern, "u").test(text))');

describe('trimPattern', () => {
  test('returns a pattern that matches the same texts', () => {
    const texts = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', '1', '\n', '-'), maxLength: 8 }),
    );
    fc.assert(
      fc.property(anchored, texts, (pattern, samples) => {
        const original = matchedBy(pattern, samples);
        const trimmed = matchedBy(trimPattern(pattern), samples);
        fc.pre(original !== undefined && trimmed !== undefined);
        expect(trimmed).toEqual(original);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([String.raw`(a+)\1`, '(?<n>a+)+$'.replace('$', String.raw`\k<n>`)])(
    'leaves %s, whose groups are referred to',
    (pattern) => {
      expect(trimPattern(pattern)).toBe(pattern);
    },
  );
});
