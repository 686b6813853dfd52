import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHmacMatcher, createHmacSigner } from '../../../../packages/runtime/signing/core.ts';
import { withoutNode } from '../without-node.ts';

const repeated = (byte: number, times: number): Uint8Array => new Uint8Array(times).fill(byte);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** RFC 4231, section 4; case 5 is about truncation, which is refused. */
const rfc4231: readonly (readonly [string, Uint8Array, Uint8Array, string, string])[] = [
  [
    'test case 1',
    repeated(0x0b, 20),
    text('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
  ],
  [
    'test case 2',
    text('Jefe'),
    text('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
  ],
  [
    'test case 3',
    repeated(0xaa, 20),
    repeated(0xdd, 50),
    '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    'fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb',
  ],
  [
    'test case 4',
    Uint8Array.from({ length: 25 }, (_, index) => index + 1),
    repeated(0xcd, 50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    'b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd',
  ],
  [
    'test case 6',
    repeated(0xaa, 131),
    text('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    '80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598',
  ],
  [
    'test case 7',
    repeated(0xaa, 131),
    text(
      'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    'e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15134676fb6de0446065c97440fa8c6a58',
  ],
];

const hex256 = { algorithm: 'hmac-sha256', encoding: 'hex' } as const;

type Arguments = Parameters<typeof createHmacSigner>;

const importKey = (...args: Arguments) => ({
  sign: createHmacSigner(...args),
  matches: createHmacMatcher(...args),
});

const implementations: readonly (readonly [string, typeof importKey])[] = [
  ['node:crypto', importKey],
  ['WebCrypto', (...args) => withoutNode(() => importKey(...args))],
];

describe.each(implementations)('HMAC by %s', (name, importHmacKey) => {
  test('comes in a promise only if WebCrypto computes it', () => {
    const { sign, matches } = importHmacKey(hex256, text('key'));
    const isPromise = name === 'WebCrypto';
    expect(sign(['x']) instanceof Promise).toBe(isPromise);
    expect(matches(['x'], []) instanceof Promise).toBe(isPromise);
  });

  test.each(rfc4231)('gives the digests of RFC 4231, %s', async (_, key, data, sha256, sha512) => {
    const cut = data.length >> 1;
    for (const pieces of [[data], [data.slice(0, cut), data.slice(cut)]]) {
      for (const [algorithm, digest] of [
        ['hmac-sha256', sha256],
        ['hmac-sha512', sha512],
      ] as const) {
        const { sign, matches } = importHmacKey({ algorithm, encoding: 'hex' }, key);
        expect(await sign(pieces)).toBe(digest);
        expect(await matches(pieces, [digest])).toBe(true);
      }
    }
  });

  test('gives the digest of RFC 2202 for SHA-1', async () => {
    const { sign } = importHmacKey({ algorithm: 'hmac-sha1', encoding: 'hex' }, text('Jefe'));
    expect(await sign(['what do ya want ', text('for nothing?')])).toBe(
      'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
    );
  });

  test.each(['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] as const)(
    'gives what an Hmac of Node gives for keys and pieces of any length: %s',
    async (algorithm) => {
      const pieces = fc.array(fc.oneof(fc.uint8Array(), fc.string({ unit: 'grapheme-ascii' })));
      const keys = fc.uint8Array({ minLength: 1, maxLength: 300 });
      await fc.assert(
        fc.asyncProperty(keys, pieces, async (key, drawn) => {
          const expected = createHmac(algorithm.slice('hmac-'.length), key);
          for (const piece of drawn) expected.update(piece);
          const { sign } = importHmacKey({ algorithm, encoding: 'base64url' }, key);
          expect(await sign(drawn)).toBe(expected.digest('base64url'));
        }),
      );
    },
  );

  test('signs nothing, texts, bytes and views alike', async () => {
    const { sign } = importHmacKey(hex256, text('key'));
    const buffer = text('..body..');
    const signature = await sign([text('a/body/z')]);
    expect(await sign(['a/', buffer.subarray(2, 6), '', new Uint8Array(), '/z'])).toBe(signature);
    expect(await sign([])).toBe(await sign([new Uint8Array()]));
  });

  test('keeps a key that its owner wipes afterwards', async () => {
    const bytes = text('key');
    const { sign } = importHmacKey(hex256, bytes);
    const before = await importHmacKey(hex256, text('key')).sign(['x']);
    bytes.fill(0);
    expect(await sign(['x'])).toBe(before);
    expect(await sign([new Uint8Array(100_000)])).toBe(
      await importHmacKey(hex256, text('key')).sign([new Uint8Array(100_000)]),
    );
  });

  test('signs the bytes that were there when it was called', async () => {
    const { sign } = importHmacKey(hex256, text('key'));
    const body = text('before');
    const signed = sign([body]);
    body.fill(0);
    expect(await signed).toBe(await sign(['before']));
  });

  test.each([10, 4095, 4096, 4097, 100_000])(
    'signs pieces of %i bytes as the whole',
    async (length) => {
      const { sign } = importHmacKey(hex256, text('key'));
      const bytes = Uint8Array.from({ length }, (_, index) => index % 251);
      const head = String.fromCharCode(...bytes.subarray(0, 3));
      const signature = createHmac('sha256', 'key').update(bytes).digest('hex');
      expect(await sign([bytes])).toBe(signature);
      expect(await sign([head, bytes.subarray(3)])).toBe(signature);
      expect(await sign([bytes.subarray(0, -1), bytes.subarray(-1)])).toBe(signature);
    },
  );

  describe.each(['base64', 'base64url', 'hex'] as const)('in %s', (encoding) => {
    const key = importHmacKey({ algorithm: 'hmac-sha256', encoding }, text('key'));
    const digest = createHmac('sha256', 'key').update('x').digest();
    const digestText = digest.toString(encoding);

    test('writes a digest', async () => {
      expect(await key.sign(['x'])).toBe(digestText);
    });

    test('finds its digest among others and refuses all that differ in a byte', async () => {
      const otherDigests = Array.from(digest, (byte, index) =>
        Buffer.from(digest.with(index, byte ^ 1)).toString(encoding),
      );
      expect(await key.matches(['x'], otherDigests)).toBe(false);
      expect(await key.matches(['x'], [...otherDigests, digestText])).toBe(true);
      expect(await key.matches(['y'], [digestText])).toBe(false);
      expect(await key.matches(['x'], [])).toBe(false);
    });

    test.each<readonly [string, string]>([
      ['nothing', ''],
      ['what is cut short', digestText.slice(0, -1)],
      ['what continues', `${digestText}${digestText}`],
      ['what continues with a blank', `${digestText} `],
      ['what begins with a blank', ` ${digestText}`],
      ['what is padded once more', `${digestText}=`],
      ['what is not padded', digestText.replaceAll('=', '')],
      ['the other alphabet of Base64', digestText.replaceAll('+', '-').replaceAll('/', '_')],
      ['a character whose lower byte is right', `\u0100${digestText}`.replace(/.(.)/su, shifted)],
      ['a character of which UTF-8 makes two bytes', `é${digestText.slice(2)}`],
      ['such a character at the end', `${digestText.slice(0, -1)}é`],
      ['a character that is not a digit', `${digestText.slice(0, -2)}!${digestText.slice(-1)}`],
      ['a bit set that stands for nothing', withSpareBit(digestText)],
    ])('takes nothing else for its digest: %s', async (_, other) => {
      // After one that is right: nothing of it may be left to compare with.
      expect(await key.matches(['x'], [digestText])).toBe(true);
      expect(await key.matches(['x'], [other])).toBe(other === digestText);
    });
  });
});

/** The character that a conversion to bytes which cuts would take for the one that was matched. */
function shifted(_: string, character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0x100);
}

/** The last digit of Base64 stands for fewer bits than it has. */
function withSpareBit(text: string): string {
  const digits = text.replaceAll('=', '');
  const last = digits.slice(-1);
  const next = String.fromCharCode(last.charCodeAt(0) + 1);
  return digits.slice(0, -1) + next + text.slice(digits.length);
}
