import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  createSigner,
  createVerifier,
  SigningError,
  type SignatureScheme,
  type VerificationFailure,
} from '../../../../packages/runtime/signing/index.ts';
import { now } from './read-scheme.ts';
import { authentic, base, body, key, refusals, signature, withHeader } from './refused-requests.ts';
import { toSignable } from './signable.ts';

const clock = (): number => now;
const signer = createSigner(base, { key, clock });
const verifier = createVerifier(base, { keys: [key], clock });

describe('a verifier', () => {
  test('accepts the authentic request, whatever the case of its header names', async () => {
    const upper = Object.entries(authentic).map(
      ([name, value]) => [name.toUpperCase(), value] as const,
    );
    for (const headers of [Object.entries(authentic), upper])
      expect(await verifier.verify(toSignable({ headers, body }))).toEqual({
        ok: true,
        key: 0,
        timestamp: now,
      });
  });

  test.each(refusals)('refuses %s', async (_, headers, reason) => {
    expect(await verifier.verify(toSignable({ headers, body }))).toEqual({ ok: false, reason });
  });

  test.each([
    ['one space more', '{"amount": 1}'],
    ['nothing', ''],
    ['one byte more', `${body}\n`],
    ['bytes that are invalid UTF-8', Uint8Array.of(0xff, 0xfe)],
  ])('refuses another body: %s', async (_, changed) => {
    expect(await verifier.verify(toSignable({ headers: authentic, body: changed }))).toEqual({
      ok: false,
      reason: 'signature-mismatch',
    });
  });

  test.each([
    ['parsed JSON', { amount: 1 }],
    ['text', body],
    ['nothing', undefined],
    ['an array of numbers', [1, 2]],
  ])('says that the body is no longer bytes: %s', async (_, parsed) => {
    const request = { ...toSignable({ headers: authentic }), body: parsed as never };
    expect(await verifier.verify(request)).toEqual({ ok: false, reason: 'body-not-bytes' });
    expect(() => signer.sign(request)).toThrow(expect.objectContaining({ code: 'body-not-bytes' }));
  });

  test.each([
    ['no list', null],
    ['a text for a list', 'abc'],
    ['a list in a list', [['v1,a']]],
    ['a number', [1]],
  ])('refuses what a broken lookup returns: %s', async (_, answer) => {
    const request = { ...toSignable({ body }), headers: () => answer as never };
    expect(await verifier.verify(request)).toMatchObject({ ok: false });
  });

  test('checks a small fixed number of the signatures in one header', async () => {
    const decoy = `v1,${Buffer.alloc(32, 1).toString('base64')}`;
    const among = (decoys: number): ReturnType<typeof verifier.verify> =>
      verifier.verify(
        toSignable({
          headers: withHeader('X-Signature', [...Array(decoys).fill(decoy), signature].join(' ')),
          body,
        }),
      );
    expect(await among(7)).toMatchObject({ ok: true });
    expect(await among(8)).toEqual({ ok: false, reason: 'signature-mismatch' });
    expect(await among(1000)).toEqual({ ok: false, reason: 'malformed-signature' });
  });

  test('accepts a timestamp at either end of the tolerance, its own where one is given', async () => {
    for (const at of [now - 300_000, now + 300_000]) {
      const request = toSignable({ headers: authentic, body });
      const shifted = { keys: [key], clock: () => at };
      expect(await createVerifier(base, shifted).verify(request)).toMatchObject({ ok: true });
      expect(
        await createVerifier(base, { ...shifted, toleranceMs: 299_000 }).verify(request),
      ).toMatchObject({
        ok: false,
      });
    }
  });

  test('lets nothing through when its clock tells no time', async () => {
    const broken = createVerifier(base, { keys: [key], clock: () => Number.NaN });
    expect(await broken.verify(toSignable({ headers: authentic, body }))).toMatchObject({
      ok: false,
    });
  });

  test('answers with the same few words whatever the sender wrote', async () => {
    for (const [, headers] of refusals) {
      const text = JSON.stringify(await verifier.verify(toSignable({ headers, body })));
      expect(text).toMatch(/^\{"ok":false,"reason":"[a-z-]+"\}$/);
    }
  });
});

const stripeLike: SignatureScheme = {
  ...base,
  over: ['$timestamp', { text: '.' }, '$request.body'],
  encoding: 'hex',
  value: 't={timestamp},v1={signature}',
  separator: ',',
  timestamp: { format: 'unix-seconds', tolerance: 300 },
};
const inHeader = createVerifier(stripeLike, { keys: [key], clock });
const { 'X-Signature': value = '' } = await createSigner(stripeLike, { key, clock }).sign(
  toSignable({ body }),
);
const [stamp = '', signatureItem = ''] = value.split(',');

describe('a timestamp in a signature header', () => {
  test.each<readonly [string, string, VerificationFailure | undefined]>([
    ['as it was written', value, undefined],
    ['in another order', `${signatureItem},${stamp}`, undefined],
    ['in capital letters', `${stamp},v1=${signatureItem.slice(3).toUpperCase()}`, undefined],
    ['among items that mean nothing here', `v0=x,${value},w`, undefined],
    ['without its timestamp', signatureItem, 'missing-timestamp'],
    ['with two timestamps', `${stamp},${value}`, 'malformed-signature'],
    ['without its signature', stamp, 'malformed-signature'],
    ['with a space after the comma', `${stamp}, ${signatureItem}`, 'malformed-signature'],
    ['with an odd number of digits', value.slice(0, -1), 'malformed-signature'],
    ['with a letter that is not a digit', `${value.slice(0, -1)}g`, 'malformed-signature'],
  ])('is read %s', async (_, header, reason) => {
    const verification = await inHeader.verify(
      toSignable({ headers: { 'X-Signature': header }, body }),
    );
    expect(verification).toMatchObject(reason === undefined ? { ok: true } : { ok: false, reason });
  });
});

describe('at construction', () => {
  test.each([
    ['no key', 'utf-8', undefined, 'missing-key'],
    ['an empty key', 'utf-8', '', 'missing-key'],
    ['blanks for a key', 'utf-8', ' \n', 'missing-key'],
    ['no bytes for a key', 'utf-8', new Uint8Array(), 'missing-key'],
    ['a prefix and no key', 'base64', 'whsec_', 'missing-key'],
    ['the bytes of an empty file', 'utf-8', Buffer.from(' \r\n'), 'missing-key'],
    ['an encoded line break', 'base64', 'Cg==', 'missing-key'],
    ['the text of a value that is not set', 'utf-8', String(undefined), 'missing-key'],
    ['the text of null in Base64', 'base64', 'null', 'missing-key'],
    ['the text of an object', 'utf-8', '[object Object]', 'missing-key'],
    ['a line break at the end', 'utf-8', 'a key\n', 'malformed-key'],
    ['a space at the beginning', 'utf-8', ' a key', 'malformed-key'],
    ['a byte order mark', 'utf-8', '\uFEFFa key', 'malformed-key'],
    ['half a character', 'utf-8', 'a\ud800', 'malformed-key'],
    ['a key that is no Base64', 'base64', 'not base64!', 'malformed-key'],
    ['a key in Base64url', 'base64', 'ab-_', 'malformed-key'],
    ['Base64 with a line break', 'base64', 'YWJj\n', 'malformed-key'],
    ['an odd number of hexadecimal digits', 'hex', 'abc', 'malformed-key'],
    ['a letter that is not a hexadecimal digit', 'hex', 'ag', 'malformed-key'],
  ] as const)('%s is refused', (_, encoding, bad, code) => {
    const scheme: SignatureScheme = { ...base, key: { encoding, prefix: 'whsec_' } };
    const refused = expect.objectContaining({ name: 'SigningError', code });
    expect(() => createSigner(scheme, { key: bad as string })).toThrow(refused);
    expect(() => createVerifier(scheme, { keys: ['YWJj', bad as string] })).toThrow(refused);
  });

  test('the error about white space names it, and not the key', () => {
    expect(() => createVerifier(base, { keys: ['hush-hush\n'] })).toThrow(
      /^The key begins or ends with white space, such as the line break at the end of a file/u,
    );
  });

  test('a verifier without keys is refused', () => {
    const refused = expect.objectContaining({ code: 'missing-key' });
    expect(() => createVerifier(base, { keys: [] })).toThrow(refused);
    expect(() => createVerifier(base, {} as never)).toThrow(refused);
  });

  test.each([0, -1, Number.NaN, Infinity, '300'])('a tolerance of %s is refused', (toleranceMs) => {
    expect(() => createVerifier(base, { keys: [key], toleranceMs: toleranceMs as number })).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  });

  test.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['an algorithm it does not know', { ...base, algorithm: 'none' }],
    ['a value that is still unstated', { ...base, encoding: { unstated: 'signature-encoding' } }],
    ['nothing to sign', { ...base, over: [] }],
    ['an expression that cannot be signed', { ...base, over: ['$request.body#/id'] }],
    ['its own header', { ...base, over: [...base.over, '$request.header.x-signature'] }],
    ['a header name with a line break', { ...base, header: 'X-Signature\r\nX' }],
    ['a value without a signature', { ...base, value: 'v1' }],
    ['a value with two signatures', { ...base, value: '{signature} {signature}' }],
    ['a timestamp and a signature in one item', { ...base, value: '{timestamp}{signature}' }],
    ['a value with a line break', { ...base, value: '{signature}\r\n' }],
    ['a timestamp that is not signed', { ...base, over: ['$request.body'] }],
    [
      'a timestamp that does not travel',
      { ...base, timestamp: { format: 'unix-seconds', tolerance: 1 } },
    ],
    ['a timestamp that is not described', { ...base, timestamp: undefined }],
    ['no tolerance', { ...base, timestamp: { ...base.timestamp, tolerance: 0 } }],
  ])('a scheme with %s is refused', (_, scheme) => {
    for (const create of [
      () => createSigner(scheme as SignatureScheme, { key }),
      () => createVerifier(scheme as SignatureScheme, { keys: [key] }),
    ])
      expect(create).toThrow(expect.objectContaining({ code: 'invalid-scheme' }));
  });
});

describe('secrets', () => {
  test('no signer, verifier or error shows a key, a signature or a body', () => {
    const thrown: unknown[] = [];
    for (const act of [
      () => createSigner({ ...base, key: { encoding: 'hex' } }, { key }),
      () => createSigner({ ...base, key: { encoding: 'base64' } }, { key }),
      () => signer.sign(toSignable({ headers: { 'X-Id': 'a.sekrit' }, body: 'sekrit' })),
      () => signer.sign(toSignable({ headers: { 'X-Id': 'sekrit\n' }, body: 'sekrit' })),
      () => signer.sign(toSignable({ headers: { 'X-Id': 'a', 'X-Timestamp': 'sekrit' } })),
    ]) {
      try {
        void act();
      } catch (error) {
        expect(error).toBeInstanceOf(SigningError);
        thrown.push(error);
      }
    }
    expect(thrown).toHaveLength(5);
    for (const shown of [signer, verifier, ...thrown])
      for (const text of [
        inspect(shown, { showHidden: true, depth: 9, getters: true }),
        JSON.stringify(shown),
        String(shown),
      ])
        expect(text).not.toMatch(/sekrit|c2Vrcml0|73656b726974/);
  });

  test('a signer and a verifier cannot be changed', () => {
    expect(Object.isFrozen(signer) && Object.isFrozen(verifier)).toBe(true);
  });
});

test.each([Number.NaN, Infinity, -1, 9e15])(
  'a signer whose clock shows %s signs nothing',
  (time) => {
    const stopped = createSigner(base, { key, clock: () => time });
    expect(() => stopped.sign(toSignable({ headers: { 'X-Id': 'a' } }))).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
  },
);
