import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactnessOf } from '../../../packages/webhooks/src/exact-number.ts';

describe('a number literal', () => {
  test.each([
    ['0', 'exact'],
    ['-0', 'exact'],
    ['0.0', 'exact'],
    ['19.99', 'exact'],
    ['19.990', 'exact'],
    ['1E2', 'exact'],
    ['100e-2', 'exact'],
    ['1e23', 'exact'],
    ['5e-324', 'exact'],
    ['1.7976931348623157e308', 'exact'],
    ['9007199254740992', 'exact'],
    ['9007199254740993', 'inexact'],
    ['0.30000000000000004', 'exact'],
    ['0.3000000000000000444', 'inexact'],
    ['1e-400', 'inexact'],
    ['1e400', 'infinite'],
    ['-1e400', 'infinite'],
  ] as const)('%s is %s', (literal, exactness) => {
    expect(exactnessOf(literal)).toBe(exactness);
  });

  test('of any double is exact, as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(exactnessOf(JSON.stringify(double))).toBe('exact');
      }),
    );
  });

  test('of fifteen digits is exact', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 999_999_999_999_999n }),
        fc.nat(15),
        (digits, scale) => {
          const text = String(digits).padStart(scale + 1, '0');
          const literal = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
          expect(exactnessOf(literal.replace(/^0+(?=\d)/, ''))).toBe('exact');
        },
      ),
    );
  });
});
