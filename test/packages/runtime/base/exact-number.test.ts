import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExactNumber } from '../../../../packages/runtime/base/index.ts';

describe('a number literal', () => {
  test.each([
    ['0', true],
    ['-0', true],
    ['0.0', true],
    ['19.99', true],
    ['19.990', true],
    ['1E2', true],
    ['100e-2', true],
    ['1e23', true],
    ['5e-324', true],
    ['1.7976931348623157e308', true],
    ['9007199254740992', true],
    ['9007199254740993', false],
    ['0.30000000000000004', true],
    ['0.3000000000000000444', false],
    ['1e-400', false],
    ['1e400', false],
    ['-1e400', false],
  ])('%s is exact: %s', (literal, isExact) => {
    expect(isExactNumber(literal)).toBe(isExact);
  });

  test('of any double is exact, as JavaScript writes it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(isExactNumber(JSON.stringify(double))).toBe(true);
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
          expect(isExactNumber(literal.replace(/^0+(?=\d)/, ''))).toBe(true);
        },
      ),
    );
  });
});
