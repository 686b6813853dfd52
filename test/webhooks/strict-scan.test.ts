import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactnessOf } from '../../packages/webhooks/src/exact-number.ts';
import { scanStrictly as scanBytes, type Scan } from '../../packages/webhooks/src/strict-scan.ts';

const encoder = new TextEncoder();

function scanStrictly(text: string, maxDepth: number): Scan {
  return scanBytes(encoder.encode(text), maxDepth);
}

describe('the strict scan', () => {
  test.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', undefined],
    ['{"a":1,"a":1}', 'duplicate-key'],
    [String.raw`{"a":1,"\u0061":1}`, 'duplicate-key'],
    [String.raw`{"\u0061":1,"a":1}`, 'duplicate-key'],
    [String.raw`{"a\"":1,"a\\":2,"a":3}`, undefined],
    ['{"a":{"b":1},"b":2,"a":3}', 'duplicate-key'],
    ['[{"x":{"y":1,"y":2}}]', 'duplicate-key'],
    ['{"Aa":1,"BB":2}', undefined],
    ['{"a":"\\"a\\":1,","b":"}{"}', undefined],
    ['{"__proto__":1}', 'prototype-key'],
    ['["__proto__", {"constructor": 1, "prototype": 2}]', undefined],
    ['{"constructor":{"prototype":1}}', 'prototype-key'],
    ['{"constructor":{"a":{"prototype":1}}}', undefined],
    ['[[[[1]]]]', undefined],
    ['[[[[[1]]]]]', 'too-deep'],
    ['{"a":1e999}', 'infinite-number'],
    ['{"a":-1e999}', 'infinite-number'],
    ['"unclosed', 'not-json'],
    ['{"unclosed', 'not-json'],
    ['{"a\\', 'not-json'],
    [']', 'not-json'],
  ])('finds in %s: %s', (text, fault) => {
    expect(scanStrictly(text, 4).fault).toBe(fault);
  });

  test('accepts what JSON.stringify writes of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!/__proto__|prototype/.test(text));
        expect(scanStrictly(text, 64)).toEqual({ inexact: [] });
      }),
      { numRuns: 2000 },
    );
  });

  test('finds a key twice in an object of any size, wherever the two stand', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), fc.boolean(), (names, from, to, isEscaped) => {
        fc.pre(!names.some((name) => /^(?:__proto__|prototype)$/.test(name)));
        const members = names.map((name) => `${JSON.stringify(name)}:1`);
        const twin = names[from % names.length] ?? '';
        const escaped = Array.from(
          { length: twin.length },
          (_, index) => String.raw`\u${twin.charCodeAt(index).toString(16).padStart(4, '0')}`,
        ).join('');
        members.splice(
          to % (names.length + 1),
          0,
          isEscaped ? `"${escaped}":1` : `${JSON.stringify(twin)}:1`,
        );
        expect(scanStrictly(`{${members.join(',')}}`, 4).fault).toBe('duplicate-key');
      }),
      { numRuns: 2000 },
    );
  });

  test('never throws, and takes linear time for many keys', () => {
    fc.assert(
      fc.property(fc.string(), (text) => void scanStrictly(text, 8)),
      { numRuns: 2000 },
    );
    const many = Array.from({ length: 200_000 }, (_, index) => `"${index}":1`).join(',');
    expect(scanStrictly(`{${many}}`, 4)).toEqual({ inexact: [] });
    expect(scanStrictly(`{${many},"7":1}`, 4).fault).toBe('duplicate-key');
  });

  test('says where the numbers stand that no double holds', () => {
    const text = '{"a":19.99,"b":[9007199254740993,1],"c":0.1000000000000000055511151231257827}';
    const scan = scanStrictly(text, 4);
    const spans = scan.fault === undefined ? scan.inexact : [];
    expect(spans.map(([start, end]) => text.slice(start, end))).toEqual([
      '9007199254740993',
      '0.1000000000000000055511151231257827',
    ]);
  });
});

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
