import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type BodySignatureScheme,
  createBodySigner,
  createBodyVerifier,
} from '../../../../packages/runtime/signing/body.ts';

const key = '0123456789abcdef';
const scheme: BodySignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'hex' },
  over: [
    { member: ['id'] },
    { member: ['note'], mayContainSeparator: true },
    { member: ['amount', 'value'] },
    { member: ['done'] },
  ],
  separator: ':',
  encoding: 'base64',
  signature: ['proof', 'hmac'],
};
const ofList: BodySignatureScheme = { ...scheme, each: ['items'] };

/** Returns the signature over a text, by an implementation of its own. */
function hmac(text: string, hexKey: string = key): string {
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(text, 'utf8').digest('base64');
}

interface Element {
  readonly [member: string]: unknown;
}

const element: Element = { id: 'a', note: 'b:c ☃', amount: { value: 7 }, done: true };
const signedElement: Element = { ...element, proof: { hmac: hmac('a:b:c ☃:7:true') } };

async function verify(
  value: unknown,
  { of = scheme, keys = [key] }: { of?: BodySignatureScheme; keys?: readonly string[] } = {},
): Promise<unknown> {
  const body =
    typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(JSON.stringify(value));
  return await createBodyVerifier(of, { keys }).verify({ body });
}

const refused = (reason: string): object => ({ ok: false, reason });

/** Tests signers and verifiers of bodies with the cryptographic interface that the file has chosen. */
/** @param elements more than the stack has frames */
export function describeBodies(elements = 20_000): void {
  test('members are authentic, whatever the others are', async () => {
    expect(await verify({ ...signedElement, other: 1 })).toEqual({ ok: true, key: 0 });
    expect(await verify(signedElement, { keys: ['07', key] })).toEqual({ ok: true, key: 1 });
  });

  test('a member that is missing or null is signed as an empty text', async () => {
    const proof = { hmac: hmac('a::7:') };
    const { note: _, done: __, ...members } = element;
    expect(await verify({ ...members, proof })).toMatchObject({ ok: true });
    expect(await verify({ ...members, note: null, done: null, proof })).toMatchObject({ ok: true });
  });

  describe('refuses', () => {
    test.each<[string, unknown, string]>([
      ['a changed member', { ...signedElement, done: false }, 'signature-mismatch'],
      [
        'a changed member in an object',
        { ...signedElement, amount: { value: 8 } },
        'signature-mismatch',
      ],
      [
        'another key',
        { ...element, proof: { hmac: hmac('a:b:c ☃:7:true', '07') } },
        'signature-mismatch',
      ],
      ['no signature', element, 'missing-signature'],
      ['an empty signature', { ...element, proof: { hmac: '' } }, 'missing-signature'],
      [
        'a list of signatures',
        { ...element, proof: { hmac: [hmac('a:b:c ☃:7:true')] } },
        'missing-signature',
      ],
      ['an object as a member', { ...signedElement, id: {} }, 'malformed-body'],
      ['half a character', { ...signedElement, id: '\ud800' }, 'malformed-body'],
      [
        'the separator in another member',
        { ...signedElement, id: 'a:b', note: 'c ☃' },
        'ambiguous-framing',
      ],
      ['a number', 7, 'missing-signature'],
      ['null', null, 'missing-signature'],
      ['what is not JSON', '{', 'malformed-body'],
      ['what is not UTF-8', '"\xff"', 'malformed-body'],
    ])('%s', async (_, value, reason) => {
      expect(await verify(value)).toEqual(refused(reason));
    });

    test('a signature with spaces or without padding', async () => {
      const { hmac: validHmac } = signedElement['proof'] as { readonly hmac: string };
      for (const hmac of [`${validHmac} `, validHmac.replace(/=+$/u, '')])
        expect(await verify({ ...element, proof: { hmac } })).toEqual(
          refused('signature-mismatch'),
        );
    });
  });

  describe('of a list', () => {
    const of = ofList;

    test('every element has to be authentic', async () => {
      expect(await verify({ items: [signedElement, signedElement] }, { of })).toMatchObject({
        ok: true,
      });
      const forged = { ...signedElement, id: 'z' };
      for (const items of [
        [forged, signedElement],
        [signedElement, forged],
      ])
        expect(await verify({ items }, { of })).toEqual(refused('signature-mismatch'));
      expect(await verify({ items: [signedElement, element] }, { of })).toEqual(
        refused('missing-signature'),
      );
    });

    test.each([{ items: [] }, { items: {} }, { items: 'text' }, {}, [], null])(
      'no element is not authentic: %j',
      async (value) => {
        expect(await verify(value, { of })).toEqual(refused('missing-signature'));
      },
    );

    test('there can be more elements than the stack has frames', async () => {
      const items = Array.from({ length: elements }, () => signedElement);
      const keys = ['07', key];
      expect(await verify({ items }, { of, keys })).toEqual({ ok: true, key: 1 });
      const changed = [...items, { ...signedElement, id: 'z' }];
      expect(await verify({ items: changed }, { of, keys })).toEqual(refused('signature-mismatch'));
      const body = await createBodySigner(of, { key }).sign(JSON.stringify({ items }));
      expect(JSON.parse(body)).toEqual({ items });
    });

    test('elements can have been signed with different keys during a rotation', async () => {
      const old = { ...element, proof: { hmac: hmac('a:b:c ☃:7:true', '07') } };
      const keys = [key, '07'];
      expect(await verify({ items: [old, signedElement] }, { of, keys })).toEqual({
        ok: true,
        key: 1,
      });
    });
  });

  describe('a number', () => {
    const ofAmount: BodySignatureScheme = {
      ...scheme,
      over: [{ member: ['amount'] }, { member: ['id'] }],
    };
    test.each([
      ['as-sent', '10.0', '10.0', 'ok'],
      ['as-sent', '10.0', '10', 'signature-mismatch'],
      ['as-double', '10.0', '10', 'ok'],
      ['as-double', '10.0', '10.0', 'signature-mismatch'],
      ['as-double', '9007199254740993', '9007199254740992', 'malformed-body'],
      ['as-double', '9007199254740993', '9007199254740993', 'malformed-body'],
    ] as const)(
      'of a scheme with the numbers %s, sent as %s and signed as %s: %s',
      async (numbers, literal, signedText, result) => {
        const expected = result === 'ok' ? { ok: true, key: 0 } : refused(result);
        const of = { ...ofAmount, numbers };
        expect(await verify(bodyOf(literal, signedText), { of })).toEqual(expected);
      },
    );

    test('is signed as the scheme states', async () => {
      const signed = async (numbers?: 'as-sent' | 'as-double'): Promise<string> => {
        const of = { ...ofAmount, ...(numbers && { numbers }) };
        return await createBodySigner(of, { key }).sign('{"amount":10.0,"id":"a","proof":{}}');
      };
      const keepsDigits = 'rawJSON' in JSON;
      const sent = keepsDigits ? '10.0' : '10';
      expect(await signed()).toContain(hmac(`${sent}:a`));
      expect(await signed('as-sent')).toContain(hmac(`${sent}:a`));
      expect(await signed('as-double')).toContain(hmac('10:a'));
    });

    test('is found behind a text that is longer than the stack', async () => {
      const text = '\\"1.0'.repeat(2_000_000);
      const body = `{"text":"${text}","amount":10.0,"id":"a","proof":{"hmac":"${hmac('10.0:a')}"}}`;
      expect(await verify(body, { of: ofAmount })).toEqual({ ok: true, key: 0 });
    });

    const bodyOf = (literal: string, signedText: string): string =>
      `{"id":"a 1.0 \\" 2.0","amount":${literal},"proof":{"hmac":"${hmac(`${signedText}:a 1.0 " 2.0`)}"}}`;

    test.each([
      ['10', '10'],
      ['10.00', '10.00'],
      ['1e2', '1e2'],
      ['9007199254740993', '9007199254740993'],
      ['-0', '-0'],
      ['0.10000000000000000000000000001', '0.10000000000000000000000000001'],
      // A sender that signs what its double becomes as a text.
      ['10.00', '10'],
      ['1e2', '100'],
      ['-5.0', '-5'],
    ])('that is sent as %s is authentic if %s was signed', async (literal, signedText) => {
      expect(await verify(bodyOf(literal, signedText), { of: ofAmount })).toMatchObject({
        ok: true,
      });
    });

    test.each([
      ['100.000000000000000000000000001', '100'],
      ['9007199254740993', '9007199254740992'],
      ['10', '10.0'],
      ['10.0', '10.00'],
      ['-0', '0'],
      ['11', '10'],
    ])('that is sent as %s is not authentic if %s was signed', async (literal, signedText) => {
      const result = await verify(bodyOf(literal, signedText), { of: ofAmount });
      expect(result).toEqual(refused('signature-mismatch'));
    });
  });

  describe('a signer', () => {
    test('writes what the verifier accepts, and leaves the rest as it is', async () => {
      const signer = createBodySigner(scheme, { key });
      const body = await signer.sign(JSON.stringify({ ...element, other: [1] }));
      expect(JSON.parse(body)).toEqual({ ...signedElement, other: [1] });
      const list = createBodySigner(ofList, { key });
      const items = await list.sign(JSON.stringify({ items: [element, { ...element, id: 'q' }] }));
      expect(await verify(JSON.parse(items), { of: ofList })).toMatchObject({ ok: true });
    });

    test.each<[string, string, string, string]>([
      ['a separator', '{"id":"a:b"}', 'ambiguous-framing', '/id'],
      [
        'an object as a member',
        '{"id":"a","amount":{"value":{}}}',
        'body-not-bytes',
        '/amount/value',
      ],
      ['what is not JSON', 'id=a', 'body-not-bytes', 'body'],
      ['a text', '"a"', 'body-not-bytes', '/proof/hmac'],
      ['a text in the way', '{"id":"a","proof":""}', 'body-not-bytes', '/proof/hmac'],
      ['a number in the way', '{"id":"a","proof":1.10}', 'body-not-bytes', '/proof/hmac'],
      ['a list in the way', '{"id":"a","proof":[]}', 'body-not-bytes', '/proof/hmac'],
    ])('names the reason not to sign: %s', async (_, body, code, member) => {
      const sign = async (): Promise<string> => await createBodySigner(scheme, { key }).sign(body);
      await expect(sign()).rejects.toMatchObject({ name: 'SigningError', code, member });
    });

    test.each<[string, string, string]>([
      ['{"items":[]}', 'body-not-bytes', '/items'],
      ['{}', 'body-not-bytes', '/items'],
      ['{"items":[{},{"id":"a:b"}]}', 'ambiguous-framing', '/items/1/id'],
      ['{"items":[{},7]}', 'body-not-bytes', '/items/1/proof/hmac'],
    ])('names the reason not to sign a list: %s', async (body, code, member) => {
      const sign = async (): Promise<string> => await createBodySigner(ofList, { key }).sign(body);
      await expect(sign()).rejects.toMatchObject({ name: 'SigningError', code, member });
    });

    test('changes no number', async () => {
      const numbers = '{"id":"a","amount":{"value":12345678901234567890.10},"e":1e2,"zero":-0}';
      const body = await createBodySigner(scheme, { key }).sign(numbers);
      expect(body.startsWith(numbers.slice(0, -1))).toBe(true);
      expect(await verify(body)).toMatchObject({ ok: true });
      const list = await createBodySigner(ofList, { key }).sign(`{"items":[${numbers}]}`);
      expect(list).toContain(numbers.slice(0, -1));
    });

    test('creates a member of any name, and changes no prototype', async () => {
      const odd = { ...scheme, signature: ['__proto__', 'polluted'] };
      const body = await createBodySigner(odd, { key }).sign(JSON.stringify(element));
      expect(body).toContain('"__proto__":{"polluted":"');
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    });
  });

  test.each([
    ['no keys', scheme, [], 'missing-key'],
    ['an empty key', scheme, [''], 'missing-key'],
    ['a key of zeros', scheme, ['0000'], 'missing-key'],
    [
      'a line break for a key',
      { ...scheme, key: { encoding: 'utf-8' as const } },
      ['\n'],
      'missing-key',
    ],
    [
      'a key of nothing',
      { ...scheme, key: { encoding: 'utf-8' as const } },
      ['undefined'],
      'missing-key',
    ],
    [
      'a key with a line break',
      { ...scheme, key: { encoding: 'utf-8' as const } },
      ['a\n'],
      'malformed-key',
    ],
    ['a key in another encoding', scheme, ['xyz'], 'malformed-key'],
    ['no members', { ...scheme, over: [] }, [key], 'invalid-scheme'],
    ['no separator', { ...scheme, separator: '' }, [key], 'invalid-scheme'],
    ['no place of the signature', { ...scheme, signature: [] }, [key], 'invalid-scheme'],
    [
      'two members with separators',
      {
        ...scheme,
        over: scheme.over.map(({ member }) => ({ member, mayContainSeparator: true as const })),
      },
      [key],
      'ambiguous-framing',
    ],
  ])('cannot be created with %s', (_, of, keys, code) => {
    expect(() => createBodyVerifier(of, { keys })).toThrow(expect.objectContaining({ code }));
  });

  test('does not show its key', () => {
    const shown = JSON.stringify(createBodyVerifier(scheme, { keys: [key] }));
    expect(shown).toBe('{}');
  });
}
