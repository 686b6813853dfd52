import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ParsedBody } from '../../../../packages/runtime/webhooks/contract.ts';
import { parseBody } from '../../../../packages/runtime/webhooks/identify.ts';
import { runsOf } from '../../../some.ts';

const encoder = new TextEncoder();

function parse(text: string, maxDepth = 4): ParsedBody {
  return parseBody(encoder.encode(text), { strict: true, maxDepth });
}

describe('a body that is read strictly', () => {
  test.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}', undefined],
    ['{"a":1,"a":1}', 'duplicate-key'],
    [String.raw`{"a":1,"\u0061":1}`, 'duplicate-key'],
    [String.raw`{"\u0061":1,"a":1}`, 'duplicate-key'],
    [String.raw`{"a\"":1,"a\\":2,"a":3}`, undefined],
    ['{"a":{"b":1},"b":2,"a":3}', 'duplicate-key'],
    ['{"a":{"b":1,"c":2},"a":{"b":1,"c":2}}', 'duplicate-key'],
    ['{"a":1,"a":{"b":1,"c":2}}', 'duplicate-key'],
    ['[{"x":{"y":1,"y":2}}]', 'duplicate-key'],
    ['{"1":1,"1":2}', 'duplicate-key'],
    ['{"":1,"":2}', 'duplicate-key'],
    ['{"Aa":1,"BB":2,"1":3,"01":4}', undefined],
    ['{"a":"\\"a\\":1,","b":"}{:"}', undefined],
    ['{"__proto__":1}', 'prototype-key'],
    [String.raw`{"a":[{"__pro\u0074o__":{}}]}`, 'prototype-key'],
    ['["__proto__", {"constructor": 1, "prototype": 2}]', undefined],
    ['{"constructor":{"prototype":1}}', 'prototype-key'],
    ['{"constructor":[[{"prototype":1}]]}', 'prototype-key'],
    ['{"constructor":{"a":{"prototype":1}}}', undefined],
    ['{"toString":1,"hasOwnProperty":2,"valueOf":3}', undefined],
    ['[[[[1]]]]', undefined],
    ['[[[[[1]]]]]', 'too-deep'],
    ['{"a":[{"b":[1]}],"c":[[[]]]}', undefined],
    ['{"a":1e999}', undefined],
    ['{"a":9007199254740993}', undefined],
    ['"unclosed', 'not-json'],
    ['{"unclosed', 'not-json'],
    ['{"a\\', 'not-json'],
    [']', 'not-json'],
    ['1:2', 'not-json'],
    ['', 'not-json'],
  ])('%s: %s', (text, fault) => {
    expect(parse(text).fault).toBe(fault);
  });

  test('is what JSON.stringify wrote, of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!/__proto__|prototype/.test(text));
        expect(parse(text, 64)).toEqual({
          text,
          value: JSON.parse(text),
          exact: JSON.parse(text),
        });
      }),
      { numRuns: runsOf(2000) },
    );
  });

  test('holds no name twice, in an object of any size, wherever the two stand', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), fc.boolean(), (names, from, to, isEscaped) => {
        fc.pre(!names.some((name) => /^(?:__proto__|prototype)$/.test(name)));
        const members = names.map((name) => `${JSON.stringify(name)}:{"a":[1]}`);
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
        expect(parse(`{${members.join(',')}}`).fault).toBe('duplicate-key');
      }),
      { numRuns: runsOf(2000) },
    );
  });

  test('is refused or read, whatever it is, as JSON.parse would', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { fault } = parse(text, 8);
        if (fault !== 'not-json') return;
        expect(() => JSON.parse(text) as unknown).toThrow();
      }),
      { numRuns: runsOf(2000) },
    );
  });

  test('may have many names, in linear time', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `"${index}":1`).join(',');
    expect(parse(`{${many}}`).fault).toBeUndefined();
    expect(parse(`{${many},"7":1}`).fault).toBe('duplicate-key');
  });

  test('is too deep where it is deeper than the stack', () => {
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    expect(parse(deep, 1_000_000).fault).toBe('too-deep');
  });

  test('is read well where something has put a member on every object', () => {
    const everything = Object.prototype as { stray?: number };
    everything.stray = 1;
    const { fault } = parse('{"a":{"b":1}}');
    delete everything.stray;
    expect(fault).toBeUndefined();
  });

  test.each(['{"a":1,"a":1}', '[[[[[1]]]]]', '{"__proto__":1}'])(
    'is given as text where only the strict checks refuse it: %s',
    (text) => {
      expect(parse(text).text).toBe(text);
    },
  );

  test.each(['{"a":1,"a":1', '[[[[[1]]]]', ''])('has its text where it is not JSON: %s', (text) => {
    expect(parse(text)).toEqual({ fault: 'not-json', text });
  });

  test('gives numbers that no double holds as text', () => {
    const text =
      '{"é":19.99,"b":[9007199254740993,1],"c":0.1000000000000000055511151231257827,"d":1E2,"e":1e999}';
    expect(parse(text)).toEqual({
      text,
      value: JSON.parse(text),
      exact: {
        é: 19.99,
        b: ['9007199254740993', 1],
        c: '0.1000000000000000055511151231257827',
        d: 100,
        e: '1e999',
      },
    });
  });
});

describe('a body that is not read strictly', () => {
  test.each([
    ['{"a":1,"a":2}', undefined],
    ['[[[[[1]]]]]', undefined],
    ['{"a":9007199254740993}', undefined],
    ['{"a":', 'not-json'],
  ])('%s: %s', (text, fault) => {
    const rules = { strict: false, maxDepth: 4 };
    expect(parseBody(encoder.encode(text), rules).fault).toBe(fault);
  });
});

test.each([
  ['invalid UTF-8', [0x22, 0xc3, 0x28, 0x22], 'not-utf-8'],
  ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], 'not-utf-8'],
  ['two byte order marks', [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 0x31], 'not-json'],
  ['half of a byte order mark', [0xef, 0xbb, 0x31], 'not-utf-8'],
])('a body with %s is refused', (_what, bytes, fault) => {
  const rules = { strict: true, maxDepth: 4 };
  expect(parseBody(Uint8Array.from(bytes), rules).fault).toBe(fault);
});

test('a byte order mark is not part of the text, and the places of numbers are those after it', () => {
  const text = '{"é":9007199254740993}';
  const rules = { strict: true, maxDepth: 4 };
  expect(parseBody(encoder.encode(`\uFEFF${text}`), rules)).toEqual(parse(text));
});
