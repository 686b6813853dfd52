import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  hasAttributes,
  parseName,
  readBase64,
  readCertificate,
  readObjectId,
  readPem,
} from '../../../../packages/runtime/webhooks/client-certificate.ts';
import { createAuthority } from '../../certificates.ts';

const authority = await createAuthority('CN=Authority of a test,O=Tests');

test.each([
  ['CN=callbacks.bank.example', { CN: 'callbacks.bank.example' }],
  [
    'C=BR,O=Bank \\+ Sons\\, S.A.,OU=A,OU=B,CN=callbacks',
    { C: 'BR', O: 'Bank + Sons, S.A.', OU: ['A', 'B'] },
  ],
  ['CN=\\"CN\\=other\\",O=Zażółć 銀行', { CN: '"CN=other"', O: 'Zażółć 銀行' }],
  ['2.5.4.97=PSDBR-1,CN=x', { organizationIdentifier: 'PSDBR-1' }],
  ['CN=a+OU=b', { CN: 'a', OU: 'b' }],
])('reads %s as OpenSSL does', async (subject, attributes) => {
  const { cert } = await authority.issue({
    subject,
    names: [
      { type: 'dns', value: 'callbacks.bank.example' },
      { type: 'url', value: 'spiffe://bank/callbacks' },
      { type: 'email', value: 'a@bank.example' },
      { type: 'ip', value: '127.0.0.1' },
    ],
  });
  const oracle = new X509Certificate(cert);
  const certificate = readPem(cert);
  expect(hasAttributes(certificate.subject, attributes)).toBe(true);
  expect(hasAttributes(certificate.issuer, { CN: 'Authority of a test', O: 'Tests' })).toBe(true);
  expect(new Date(certificate.notAfter)).toEqual(oracle.validToDate);
  expect(new Date(certificate.notBefore)).toEqual(oracle.validFromDate);
  expect(await certificate.fingerprint()).toBe(
    oracle.fingerprint256.replaceAll(':', '').toLowerCase(),
  );
  expect(certificate.altNames).toEqual([
    { dns: 'callbacks.bank.example' },
    { uri: 'spiffe://bank/callbacks' },
    { email: 'a@bank.example' },
  ]);
  // Every attribute, and in the order of the certificate.
  const legacy = Object.values(oracle.toLegacyObject().subject).flat();
  expect(new Set(certificate.subject.map(([, value]) => value))).toEqual(new Set(legacy));
  expect(certificate.subject).toHaveLength(legacy.length);
});

test('times are read in both formats', async () => {
  const notAfter = new Date(Date.UTC(2150, 5, 7, 8, 9, 10));
  const notBefore = new Date(Date.UTC(1999, 1, 2));
  const { cert } = await authority.issue({ subject: 'CN=x', notBefore, notAfter });
  const certificate = readPem(cert);
  expect(new Date(certificate.notAfter)).toEqual(notAfter);
  expect(new Date(certificate.notBefore)).toEqual(notBefore);
});

test('only one certificate in PEM is read, with nothing beside it', async () => {
  const { cert } = await authority.issue({ subject: 'CN=x' });
  expect(readPem(`\n${cert}\n`).altNames).toEqual([]);
  for (const text of ['', cert + authority.cert, `x${cert}`, `${cert}x`, cert.slice(0, -40)])
    expect(() => readPem(text)).toThrow(SyntaxError);
  const base64 = new X509Certificate(cert).raw.toString('base64');
  expect(readBase64(base64).subject).toEqual([['2.5.4.3', 'x']]);
  for (const text of ['', `${base64} `, `${base64}AAAA`, base64.slice(4), base64.slice(0, -4), '*'])
    expect(() => readBase64(text)).toThrow(SyntaxError);
});

test('bytes that are not a certificate are a SyntaxError, never another error', async () => {
  const { cert } = await authority.issue({
    subject: 'CN=x,O=y',
    names: [{ type: 'dns', value: 'x' }],
  });
  const { raw } = new X509Certificate(cert);
  let refused = 0;
  for (let length = 0; length < raw.length; length++) {
    expect(() => readCertificate(raw.subarray(0, length))).toThrow(SyntaxError);
    refused++;
  }
  expect(refused).toBe(raw.length);
  let read = 0;
  for (let at = 0; at < raw.length; at++)
    for (const mask of [0x01, 0x20, 0x80, 0xff]) {
      const changed = Uint8Array.from(raw);
      changed[at] = (changed[at] ?? 0) ^ mask;
      try {
        readCertificate(changed);
        read++;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }
  // Keys, signatures and numbers are not read.
  expect(read).toBeGreaterThan(raw.length / 2);
  expect(() => readCertificate(Buffer.concat([raw, Buffer.of(0)]))).toThrow(SyntaxError);
});

test.each([
  ['CN=a,O=b', { CN: 'a', O: 'b' }],
  ['CN=a, O=b', { CN: 'a', O: 'b' }],
  ['cn=a,oU=b+OU=c', { CN: 'a', OU: ['b', 'c'] }],
  ['OU=second,OU=first', { OU: ['first', 'second'] }],
  ['CN=a\\,O\\=b', { CN: 'a,O=b' }],
  ['CN=a\\\\,O=b', { CN: 'a\\', O: 'b' }],
  ['CN=\\C3\\A9', { CN: 'é' }],
  ['CN=\\ a\\ ', { CN: ' a ' }],
  ['2.5.4.3=#0c0161', { CN: 'a' }],
  ['CN=#1301C0', { CN: 'a' }, false],
  ['CN=a,CN=b', { CN: 'a' }, false],
  ['CN=A', { CN: 'a' }, false],
  ['O=CN\\=a', { CN: 'a' }, false],
])('the text %s', (text, attributes, expected = true) => {
  expect(hasAttributes(parseName(text), attributes)).toBe(expected);
});

test.each([
  'CN',
  'CN=a,',
  ',CN=a',
  'CN=a;O=b',
  'CN=a ',
  'CN= a',
  'CN=a"b',
  'CN=#zz',
  'CN=#0c02',
  'CN=a\\',
  'CN=a\\q',
  'CN=a\nO',
  '/CN=a',
])('the text %j is not the name of CN=a', (text) => {
  let name;
  try {
    name = parseName(text);
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return;
  }
  expect(hasAttributes(name, { CN: 'a' })).toBe(false);
});

test('an object identifier that is longer than any assigned one is refused before it is added up', () => {
  const id = (length: number): { tag: number; content: Uint8Array } => ({
    tag: 0x06,
    content: Buffer.concat([Buffer.alloc(length - 1, 0xff), Buffer.from([1])]),
  });
  expect(readObjectId(id(128))).toMatch(/^2\.\d+$/u);
  expect(() => readObjectId(id(129))).toThrow(SyntaxError);
});
