import { describe, expect, it } from 'vitest';
import { freshValues } from '../../../../packages/simulator/src/sending/fresh-values.ts';
import { createRandom } from '../../../../packages/simulator/src/random.ts';

const firstOf = (leaf: string | number, accepts: RegExp = /^/u) =>
  [...freshValues(leaf, createRandom('a test'))].find(({ value }) =>
    accepts.test(`${value as string | number}`),
  );

describe('freshValues', () => {
  it.each<[example: string, shape: RegExp]>([
    ['cancellation-7', /^cancellation-\d{15}$/u],
    ['order-1001', /^order-\d{15}$/u],
    ['evt_1', /^evt_\d{15}$/u],
    ['SM1', /^SM\d{15}$/u],
    ['7', /^\d{15}$/u],
    ['6f1a2b3c-4d5e-6f70-8192-a3b4c5d6e7f8', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/u],
    ['6F1A2B3C-4D5E-6F70-8192-A3B4C5D6E7F8', /^[\dA-F]{8}-[\dA-F]{4}-4[\dA-F]{3}-/u],
    // The date within an end-to-end identifier stays a date.
    ['E18236120202403051015s0123abcdef', /^E\d{8}202403051015[a-z]\d{4}[a-z]{6}$/u],
    ['evt_1a2b3c4d5e6f7a8b', /^evt_[\da-f]{16}$/u],
    ['2026-11-23T10:00:00Z', /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/u],
  ])(
    'keeps the shape of %s where it has enough values, or else its beginning',
    (example, shape) => {
      const first = firstOf(example);
      expect(first?.value).toMatch(shape);
      expect(first?.value).not.toBe(example);
      expect(first?.isOneOfFew).toBe(false);
    },
  );

  it.each<[example: string | number, accepts: RegExp, isOneOfFew: boolean]>([
    ['cancellation-7', /^cancellation-\d+$/u, false],
    ['cancellation-7', /^.{1,14}$/u, false],
    ['7', /^[\da-f]{32}$/u, false],
    ['a', /^[a-z]{15}$/u, false],
    ['x1', /^[A-Z\d]{11}$/u, false],
    ['abcdefghij', /^[a-z]{10}$/u, true],
    ['P-0001', /^P-\d{4}$/u, true],
    ['2026-11-23', /^20\d\d-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/u, true],
    ['2026-11-23T10:00:00-03:00', /^20\d\d-\d\d-\d\dT[0-2]\d:[0-5]\d:[0-5]\d-03:00$/u, true],
    [7, /^\d{1,15}$/u, false],
    [7, /^\d{1,10}$/u, true],
    [7, /^\d$/u, true],
  ])('has a value for %s that %s accepts', (example, accepts, isOneOfFew) => {
    const value = firstOf(example, accepts);
    expect(value).toBeDefined();
    expect(value?.isOneOfFew).toBe(isOneOfFew);
  });

  it('has no value for what has no other one', () => {
    for (const leaf of [null, true, undefined])
      expect([...freshValues(leaf, createRandom(1))]).toEqual([]);
  });

  it('never repeats a unique value', () => {
    for (const example of ['a', 'cancellation-7', 'P-0001', '7', 1]) {
      const values = Array.from(
        { length: 5000 },
        (_, index) => freshValues(example, createRandom(`${index}`)).next().value?.value,
      );
      expect(new Set(values).size).toBe(5000);
    }
  });
});
