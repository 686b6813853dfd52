import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertSignatureScheme,
  createSigner,
  createVerifier,
  type SignatureScheme,
  type TimestampPattern,
} from '../../../../packages/runtime/signing/index.ts';
import * as unchecked from '../../../../packages/runtime/signing/core.ts';
import { readOwnScheme } from './read-scheme.ts';
import { toSignable } from './signable.ts';

const createUncheckedSigner: typeof createSigner = (scheme, options) =>
  unchecked.createSigner(scheme, options, unchecked.timestampPatterns);
const createUncheckedVerifier: typeof createVerifier = (scheme, options) =>
  unchecked.createVerifier(scheme, options, unchecked.timestampPatterns);

const instant = Date.UTC(2026, 0, 31, 12, 0, 0, 123);
const local: TimestampPattern = { pattern: "yyyy-MM-dd'T'HH:mm:ssxxx", offset: '-03:00' };
const rfc1123: TimestampPattern = { pattern: "EEE, dd MMM yyyy HH:mm:ss 'GMT'" };
const digits: TimestampPattern = { pattern: 'yyyyMMddHHmmssSSS' };
const patterns: readonly (readonly [pattern: TimestampPattern, text: string])[] = [
  [local, '2026-01-31T09:00:00-03:00'],
  [rfc1123, 'Sat, 31 Jan 2026 12:00:00 GMT'],
  [digits, '20260131120000123'],
  [{ pattern: 'dd/MM/yyyy HH:mm:ss', offset: '+05:30' }, '31/01/2026 17:30:00'],
  [{ pattern: "yyyy-MM-dd'T'HH:mm:ss.SSSxx" }, '2026-01-31T12:00:00.123+0000'],
];

describe.each(patterns)('%j', (format, text) => {
  const scale = format.pattern.includes('SSS') ? 1 : 1000;

  test('writes a time', () => {
    expect(unchecked.writeTimestampPattern(instant, format)).toBe(text);
  });

  test('reads every time that it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e12, max: 1e13 - 1 }), (time) => {
        const timestamp = unchecked.writeTimestampPattern(time, format);
        expect(unchecked.parseTimestampPattern(timestamp, format)).toBe(
          Math.floor(time / scale) * scale,
        );
      }),
    );
  });

  test('reads no text with one character more, less or other than a timestamp', () => {
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.string({ maxLength: 2, unit: 'binary-ascii' }),
        fc.nat(2),
        (at, put, cut) => {
          const changed = text.slice(0, at) + put + text.slice(at + cut);
          const time = unchecked.parseTimestampPattern(changed, format);
          if (Number.isNaN(time)) return;
          // What is read is a timestamp: with its own offset, it is written as it is.
          const offset = /[+-]\d\d:?\d\d$/.exec(changed)?.[0];
          const hasOffset = format.pattern.includes('x') && offset !== undefined;
          const full = hasOffset ? { ...format, offset: offset.replace(/:?(..)$/, ':$1') } : format;
          expect(unchecked.writeTimestampPattern(time, full)).toBe(changed);
        },
      ),
    );
  });
});

test.each([
  [local, '2026-02-30T09:00:00-03:00'],
  [local, '2026-01-31T24:00:00-03:00'],
  [local, '2026-01-31T09:00:00-03:60'],
  [local, '2026-01-31T09:00:00Z'],
  [local, ' 2026-01-31T09:00:00-03:00'],
  [rfc1123, 'Sun, 31 Jan 2026 12:00:00 GMT'],
  [rfc1123, 'Sat, 31 jan 2026 12:00:00 GMT'],
  [digits, '2026013112000012x'],
])('%j is not the form of %s', (format, text) => {
  expect(unchecked.parseTimestampPattern(text, format)).toBeNaN();
});

describe.each(patterns)('a scheme with the timestamp %j', (format, text) => {
  const clock = (): number => instant;
  const body = '{"a":1}';

  test('signs and verifies, by both entries, and refuses an old timestamp', async () => {
    const scheme = await withFormat(format);
    for (const create of [createSigner, createUncheckedSigner]) {
      const added = await create(scheme, { key: 'key', clock }).sign(
        toSignable({ headers: { apikey: 'k' }, body, url: '/a' }),
      );
      expect(added).toMatchObject({ 'x-timestamp': text });
      const request = toSignable({ headers: { apikey: 'k', ...added }, body, url: '/a' });
      for (const verifier of [createVerifier, createUncheckedVerifier]) {
        expect(await verifier(scheme, { keys: ['key'], clock }).verify(request)).toMatchObject({
          ok: true,
        });
        const late = { keys: ['key'], clock: () => instant + 301_000 };
        expect(await verifier(scheme, late).verify(request)).toEqual({
          ok: false,
          reason: 'timestamp-too-old',
        });
      }
    }
  });

  test('shares no signature: text before a timestamp must not hold one', async () => {
    const scheme = await withFormat(format);
    const request = toSignable({ headers: { apikey: `k${text}` }, body, url: '/a' });
    const isDigits = format === digits;
    const full = (): unknown => createSigner(scheme, { key: 'key', clock }).sign(request);
    // As for Unix time, the key in a header before digits must be known to the verifier.
    if (isDigits) expect(full()).toBeDefined();
    else expect(full).toThrow(expect.objectContaining({ code: 'ambiguous-framing' }));
    const unchecked = (): unknown =>
      createUncheckedSigner(scheme, { key: 'key', clock }).sign(request);
    if (isDigits) expect(unchecked).not.toThrow();
    else expect(unchecked).toThrow(expect.objectContaining({ code: 'ambiguous-framing' }));
  });

  test('needs the functions for patterns where the scheme is not checked', async () => {
    const scheme = await withFormat(format);
    const refused = expect.objectContaining({ code: 'invalid-scheme', member: 'patterns' });
    expect(() => unchecked.createSigner(scheme, { key: 'key' })).toThrow(refused);
    expect(() => unchecked.createVerifier(scheme, { keys: ['key'] })).toThrow(refused);
  });
});

test('two requests with one signed text are not both signed', async () => {
  const scheme = await withFormat({ pattern: 'HH:mm:ss dd-MM-yyyy' });
  const key = { key: 'key', clock: () => instant };
  // The key ends with the beginning of a timestamp: "12:" + "12:00:00 31-01-2026" is not a timestamp earlier.
  const { sign } = createSigner(scheme, key);
  expect(
    await sign(toSignable({ headers: { apikey: 'k12:' }, body: '', url: '/a' })),
  ).toBeDefined();
});

test.each([
  [{ pattern: 'yyyy-MM-dd' }],
  [{ pattern: "yyyy-MM-dd'T'HH:mm:ssXXX" }],
  [{ pattern: 'yyyy-MM-ddTHH:mm:ss' }],
  [{ pattern: "yyyy-MM-dd'THH:mm:ss" }],
  [{ pattern: 'yyyy-MM-dd HH:mm:ss', offset: 'Z' }],
  [{ pattern: 'yyyy-MM-dd HH:mm:ss', offset: '+15:00' }],
  [{ pattern: 'yyyy-MM-dd HH:mm:ss\n' }],
  [{ pattern: 1 }],
  [{}],
])('%j is not a pattern', async (format) => {
  const scheme = await withFormat(format as TimestampPattern);
  expect(() => assertSignatureScheme(scheme)).toThrow(
    expect.objectContaining({ code: 'invalid-scheme', member: 'timestamp.format' }),
  );
});

async function withFormat(format: TimestampPattern): Promise<SignatureScheme> {
  const scheme = await readOwnScheme();
  return { ...scheme, timestamp: { header: 'x-timestamp', tolerance: 300, format } };
}
