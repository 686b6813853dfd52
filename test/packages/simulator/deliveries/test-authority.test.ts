import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTestAuthority } from '../../../../packages/simulator/src/deliveries/test-authority.ts';
import { readPem } from '../../../../packages/runtime/webhooks/client-certificate.ts';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const validity = { notBefore: now, notAfter: now + 3_600_000 };

test.each([
  [{ CN: 'callbacks.bank.example' }, validity],
  [{ C: 'BR', O: 'Banco São João, S.A.', OU: 'a+b', CN: '銀行'.repeat(30) }, validity],
  [{ O: 'Bank' }, { notBefore: now, notAfter: Date.UTC(2150, 1, 2) }],
])('OpenSSL reads and verifies the certificate of %j', (subject, times) => {
  const authority = createTestAuthority('Test authority', validity);
  const root = new X509Certificate(authority.cert);
  expect(root.ca).toBe(true);
  expect(root.verify(root.publicKey)).toBe(true);
  const { cert, key } = authority.issue(subject, times);
  const issued = new X509Certificate(cert);
  expect(issued.ca).toBe(false);
  expect(issued.verify(root.publicKey)).toBe(true);
  expect(issued.checkIssued(root)).toBe(true);
  expect(issued.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(issued.toLegacyObject().subject).toEqual({ ...subject });
  expect(issued.validFromDate.getTime()).toBe(times.notBefore);
  expect(issued.validToDate.getTime()).toBe(times.notAfter);
  const { subject: read, notAfter } = readPem(cert);
  expect(read.map(([, value]) => value)).toEqual(Object.values(subject));
  expect(notAfter).toBe(times.notAfter);
});

test('two authorities of the same name do not verify each other', () => {
  const [issuer, namesake] = [1, 2].map(() => createTestAuthority('Test authority', validity));
  const issued = new X509Certificate(issuer?.issue({ CN: 'a' }, validity).cert ?? '');
  expect(issued.verify(new X509Certificate(namesake?.cert ?? '').publicKey)).toBe(false);
});
