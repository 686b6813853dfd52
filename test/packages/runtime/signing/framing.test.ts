import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  parseTimestamp,
  type SignedPart,
  type TimestampFormat,
} from '../../../../packages/runtime/signing/index.ts';
import { checkedCore } from '../../../../packages/runtime/signing/checked.ts';
import { type Part, compileFraming, toParts } from '../../../../packages/runtime/signing/core.ts';
import { framed, schemeOver, textsOf } from './framed-schemes.ts';
import { now, readOwnScheme } from './read-scheme.ts';
import { toSignable } from './signable.ts';
import { someOf } from '../../../some.ts';

const ownScheme = await readOwnScheme();

const options = { key: 'key', clock: () => now };

describe('a scheme that puts nothing between what it signs', () => {
  const { sign } = createSigner(ownScheme, options);
  const { verify } = createVerifier(ownScheme, { keys: ['key'], clock: () => now });
  const headers = { apikey: 'k-1' };

  test.each([
    ['no body', '', '/a'],
    ['an object', '{"a":"}/b"}', '/a'],
    ['an object whose text ends like a path', '{"a":1,"b":"/c"}\r\n', '/a'],
    ['an array', ' [] '.trim(), '/a/b'],
    ['form text with the slash encoded', 'a=1&b=%2Fc', '/a'],
    ['a JSON text', '"text"', '/a'],
    ['a path with digits', '{}', '/a/12345678901234567890'],
  ])('signs and verifies %s', async (_, body, url) => {
    const added = await sign(toSignable({ headers, body, url }));
    const request = toSignable({ headers: { ...headers, ...added }, body, url });
    expect(await verify(request)).toMatchObject({ ok: true });
  });

  test.each([
    ['form text with a slash', 'a=1&b=/c', '/a'],
    ['text with a slash', 'see /c', '/a'],
    ['an object that does not end', '{"a":1', '/a'],
    ['an object with something after it', '{"a":1}x', '/a'],
    ['an object closed by a bracket', '{"a":1]', '/a'],
    ['an object before a path with a brace', '{"a":1}', '/a}'],
    ['an array before a path with a bracket', '[1]', '/a/[b]'],
    ['bytes', Uint8Array.of(0, 1, 0x2f), '/a'],
  ])('neither signs nor verifies %s', async (_, body, url) => {
    expect(() => sign(toSignable({ headers, body, url }))).toThrow(
      expect.objectContaining({ code: 'ambiguous-framing' }),
    );
    const signed = {
      ...headers,
      'x-timestamp': '2026-01-01T00:00:00.000Z',
      'x-hmac-signature': `${'A'.repeat(43)}=`,
    };
    expect(await verify(toSignable({ headers: signed, body, url }))).toEqual({
      ok: false,
      reason: 'ambiguous-framing',
    });
  });

  test('does not let a signature move to another split of the same bytes', async () => {
    const added = await sign(toSignable({ headers, body: '{"a":1}', url: '/cob/x/y' }));
    const all = { ...headers, ...added };
    for (const [body, url] of [
      ['{"a":1}/cob', '/x/y'],
      ['{"a":1}/cob/x', '/y'],
    ] as const)
      expect(await verify(toSignable({ headers: all, body, url }))).toEqual({
        ok: false,
        reason: 'ambiguous-framing',
      });
    const stolen = { ...all, apikey: `k-1${added['x-timestamp'] ?? ''}` };
    expect(await verify(toSignable({ headers: stolen, body: '', url: '/x/y' }))).toMatchObject({
      ok: false,
      reason: 'ambiguous-framing',
    });
  });
});

test.each<readonly [string, readonly SignedPart[]]>([
  ['two headers', ['$request.header.a', '$request.header.b', '$timestamp']],
  ['body and header', ['$timestamp', '$request.body', '$request.header.a']],
  ['body and method', ['$timestamp', '$request.body', '$method']],
  ['body and a timestamp before more', ['$request.body', '$timestamp', '$url.path']],
  ['path and URL', ['$timestamp', '$url.path', '$url']],
  ['header and method', ['$timestamp', '$request.header.a', '$method']],
  ['a body between others', ['$timestamp', '$request.header.a', '$request.body', '$url.path']],
])('a scheme in which nothing could tell %s apart is refused', (_, over) => {
  expect(() => createSigner(schemeOver(over), options)).toThrow(
    expect.objectContaining({ code: 'ambiguous-framing' }),
  );
});

test.each<readonly [string, readonly SignedPart[]]>([
  ['one part of unknown length', ['$timestamp', '$request.body']],
  [
    'one part between known ones',
    ['$timestamp', { text: '\n' }, '$request.body', { text: '\n' }, '$timestamp'],
  ],
  ['a URL', ['$url', '$timestamp']],
])('a scheme with %s asserts nothing', (_, over) => {
  const parts = toParts(schemeOver(over));
  const framing = compileFraming(parts, 'unix-seconds', checkedCore);
  expect(framing(parts.map(() => '1767225600/{'))).toBe(true);
});

describe('of all the ways to read the same signed bytes, at most one is framed', () => {
  test.each(someOf(3, framed))('%s', (_, scheme) => {
    const parts = toParts(scheme);
    const format = scheme.timestamp?.format ?? 'iso-8601';
    const framing = compileFraming(parts, format, checkedCore);
    let framed = 0;
    const texts = fc.tuple(...parts.map((part) => textsOf(part, format)));
    fc.assert(
      fc.property(texts, (values) => {
        const readings = readingsOf(values.join(''), parts, format).filter((reading) =>
          framing(reading),
        );
        framed += readings.length;
        expect(readings.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000, seed: 1 },
    );
    expect(framed).toBeGreaterThan(200);
  });
});

type Values = readonly (string | Uint8Array)[];

/** Every way to cut the text into values that the parts can have. */
function readingsOf(
  text: string,
  parts: readonly Part[],
  format: TimestampFormat,
): readonly Values[] {
  const [part, ...rest] = parts;
  if (part === undefined) return text === '' ? [[]] : [];
  return Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end))
    .filter((value) => canBe(part, value, format))
    .flatMap((value) =>
      readingsOf(text.slice(value.length), rest, format).map((furtherParts) => [
        part.kind === '$request.body' ? new TextEncoder().encode(value) : value,
        ...furtherParts,
      ]),
    );
}

function canBe(part: Part, value: string, format: TimestampFormat): boolean {
  switch (part.kind) {
    case 'text':
      return value === part.text;
    case 'header':
      return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value);
    case '$method':
      return /^[A-Z]+$/.test(value);
    case '$url.path':
      return /^\/[\x21-\x7e]*$/.test(value) && !value.includes('?');
    case '$url.path+query':
      return /^\/[\x21-\x7e]*$/.test(value);
    case '$url':
      return /^https?:\/\/[^/?#\s]+[\x21-\x7e]*$/.test(value);
    case '$timestamp':
      return !Number.isNaN(parseTimestamp(value, format));
    default:
      return true;
  }
}
