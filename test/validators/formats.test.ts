import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../../generator/validators/formats.ts';
import { runsOf } from '../some.ts';

const textFormats = [...formats.keys()].filter((name) => formats.get(name)?.type === 'string');

function accepts(format: string, text: string): boolean {
  const definition = formats.get(format);
  if (definition?.type !== 'string') throw new TypeError(`${format} is not a format of texts`);
  return definition.expression.test(text);
}

const table: Readonly<
  Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>
> = {
  'date-time': {
    valid: [
      '2024-05-01T12:00:00Z',
      '2024-05-01T12:00:00-03:00',
      '2024-05-01T12:00:00.123456789+05:45',
      '2024-05-01t12:00:00z',
      '2024-02-29T00:00:00Z',
      '2000-02-29T23:59:59-00:00',
      '1990-12-31T23:59:60Z',
      '1990-12-31T15:59:60-08:00',
    ],
    invalid: [
      '2024-05-01T12:00:00',
      '2024-05-01 12:00:00Z',
      '2024-05-01T12:00:00-0300',
      '2024-05-01T12:00:00-03',
      '2024-05-01T12:00Z',
      '2024-05-01T24:00:00Z',
      '2024-05-01T12:60:00Z',
      '2024-05-01T12:00:61Z',
      '2024-05-01T12:00:60Z',
      '2024-05-01T12:00:00+24:00',
      '2023-02-29T12:00:00Z',
      '1900-02-29T12:00:00Z',
      '2024-13-01T12:00:00Z',
      '2024-05-01T12:00:00.Z',
      '2024-05-01',
      '2024-05-01T12:00:00Z\n',
      ' 2024-05-01T12:00:00Z',
      '',
    ],
  },
  date: {
    valid: ['2024-02-29', '2000-02-29', '0000-02-29', '9999-12-31', '2023-04-30'],
    invalid: [
      '2023-02-29',
      '2100-02-29',
      '2024-02-30',
      '2024-04-31',
      '2024-00-10',
      '2024-1-1',
      '24-01-01',
      '2024-01-32',
    ],
  },
  time: {
    valid: ['12:00:00Z', '12:00:00.5-03:00', '23:59:60Z'],
    invalid: ['12:00:00', '25:00:00Z', '12:00:60Z'],
  },
  duration: {
    valid: ['P1Y2M3DT4H5M6S', 'PT36H', 'P3W', 'P1D'],
    invalid: ['P', 'PT', 'P1S', 'P1W1D', '1D', 'P1YT', 'P1D2H'],
  },
  uuid: {
    valid: [
      '2f1e9a6c-8a4b-4c1d-9e2f-001122334455',
      '2F1E9A6C-8A4B-4C1D-9E2F-001122334455',
      '00000000-0000-0000-0000-000000000000',
    ],
    invalid: [
      '2f1e9a6c8a4b4c1d9e2f001122334455',
      '2f1e9a6c-8a4b-4c1d-9e2f-00112233445',
      'g0000000-0000-0000-0000-000000000000',
      '{2f1e9a6c-8a4b-4c1d-9e2f-001122334455}',
    ],
  },
  email: {
    valid: ['a@example.org', 'a.b+c@x.example.org', "o'brien@example.org", 'a@localhost'],
    invalid: [
      'a',
      'a@',
      '@b',
      'a@b@c',
      '.a@example.org',
      'a..b@example.org',
      'a@-b.org',
      'a b@example.org',
      `${'a'.repeat(65)}@example.org`,
    ],
  },
  hostname: {
    valid: ['example.org', 'a', '1a.example', 'xn--bcher-kva.example', `${'a'.repeat(63)}.b`],
    invalid: ['', '-a', 'a-', 'a..b', 'a_b', `${'a'.repeat(64)}.b`, `${'a.'.repeat(127)}a`, 'a.'],
  },
  ipv4: {
    valid: ['0.0.0.0', '255.255.255.255'],
    invalid: ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '1.2.3.4\n'],
  },
  ipv6: {
    valid: [
      '::',
      '::1',
      '2001:db8::8a2e:370:7334',
      '1:2:3:4:5:6:7:8',
      '::ffff:192.0.2.1',
      '1::8',
      'FE80::1',
    ],
    invalid: [
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '::1::',
      '12345::',
      ':1',
      '::256.0.0.1',
      'fe80::1%eth0',
    ],
  },
  uri: {
    valid: [
      'https://example.org/a?b=c#d',
      'http://[::1]:8080/',
      'urn:isbn:0451450523',
      'mailto:a@b.c',
      'https://u:p@example.org',
      'file:///etc/hosts',
      'a:',
    ],
    invalid: [
      'example.org',
      '/path',
      '//example.org',
      'http://a b',
      'http://exa%mple',
      '1http://x',
      'http://[::g]',
      'http://a\\b',
      '',
      'http://a#b#c',
    ],
  },
  'uri-reference': {
    valid: ['', '/path', '../a', '?q', '#f', 'a/b', '//example.org/x', 'https://example.org'],
    invalid: ['a b', '\\a', '%zz', 'http://[::g]'],
  },
  'json-pointer': { valid: ['', '/', '/a~1b/~0', '/ü/0'], invalid: ['a', '/~', '/~2', '#/a'] },
  byte: {
    valid: ['', 'YQ==', 'YWI=', 'YWJj', 'YWJjZA'],
    invalid: ['Y', 'YQ=', 'Y_Q-', 'YQ== ', '=', 'YWJj='],
  },
};

describe.each(Object.entries(table))(
  'the format %s',
  (format, { valid: validTexts, invalid: invalidTexts }) => {
    test.each(validTexts)('accepts %j', (text) => expect(accepts(format, text)).toBe(true));
    test.each(invalidTexts)('refuses %j', (text) => expect(accepts(format, text)).toBe(false));
  },
);

test('every format of texts has a table here', () => {
  expect(textFormats).toEqual(Object.keys(table).toSorted());
});

test('formats that are not known, and those that every value has, are annotations', () => {
  for (const name of [
    'decimal',
    'float',
    'double',
    'password',
    'no-such-format',
    'constructor',
    '__proto__',
  ]) {
    expect(formats.get(name)).toBeUndefined();
  }
});

test('a date is accepted exactly where the calendar has it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
      const text = [
        String(year).padStart(4, '0'),
        String(month).padStart(2, '0'),
        String(day).padStart(2, '0'),
      ].join('-');
      const date = new Date(0);
      date.setUTCFullYear(year, month - 1, day);
      const exists =
        date.getUTCFullYear() === year &&
        date.getUTCMonth() === month - 1 &&
        date.getUTCDate() === day;
      expect(accepts('date', text)).toBe(exists);
    }),
    { numRuns: runsOf(5_000) },
  );
});

test('whatever JavaScript prints as a date-time is one', () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') }),
      (date) => {
        expect(accepts('date-time', date.toISOString())).toBe(true);
      },
    ),
  );
});

test.each(textFormats)(
  '%s decides about a long text that nearly fits in time that grows no faster than the text',
  (name) => {
    const near = ['a', 'a.', 'a-', '1', '1:', '/a', 'a@', '%41', '::1', 'P1Y', '0000'];
    for (const piece of near) {
      const text = `${piece.repeat(20_000)}\u0000`;
      expect(accepts(name, `http://${text}`)).toBe(false);
      expect(accepts(name, text)).toBe(name === 'json-pointer' && piece === '/a');
    }
  },
);
