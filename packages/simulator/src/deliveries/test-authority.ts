import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { TlsIdentity } from '../sending/tls-identity.ts';

/** The attributes of a subject, such as `{ O: 'Bank', CN: 'callbacks.bank.example' }`. */
export type TestSubject = Readonly<Partial<Record<'C' | 'O' | 'OU' | 'CN', string>>>;

/** A certificate authority that only programs under test trust. Its keys are made anew and never leave the process. */
export interface TestAuthority {
  /** Its own certificate, as PEM. */
  readonly cert: string;
  /** Issues the certificate of a client. Times are in milliseconds since 1970. */
  readonly issue: (
    subject: TestSubject,
    validity: { readonly notBefore: number; readonly notAfter: number },
  ) => TlsIdentity;
}

/** Creates an authority. Times are in milliseconds since 1970. */
export function createTestAuthority(
  name: string,
  validity: { readonly notBefore: number; readonly notAfter: number },
): TestAuthority {
  const keys = createKeys();
  const issuer = { CN: name };
  const authorityContent = {
    issuer,
    subject: issuer,
    publicKey: keys.publicKey,
    isAuthority: true,
  };
  return {
    cert: toCertificate({ ...authorityContent, ...validity }, keys.privateKey),
    issue(subject, times) {
      const { publicKey, privateKey } = createKeys();
      const content = { issuer, subject, publicKey, isAuthority: false, ...times };
      return {
        cert: toCertificate(content, keys.privateKey),
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      };
    },
  };
}

function createKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

interface CertificateContent {
  readonly issuer: TestSubject;
  readonly subject: TestSubject;
  readonly publicKey: KeyObject;
  readonly isAuthority: boolean;
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Writes a certificate in PEM. `node:crypto` signs, but cannot write certificates.
 * @see RFC 5280, section 4.1
 */
function toCertificate(content: CertificateContent, signingKey: KeyObject): string {
  const publicKey = content.publicKey.export({ type: 'spki', format: 'der' });
  // A positive number of 20 bytes at most, which differs for each key.
  const serial = createHash('sha256').update(publicKey).digest().subarray(0, 16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const isAuthority = content.isAuthority ? [sequence(der(0x01, Buffer.of(0xff)))] : [sequence()];
  const extensions = sequence(
    // basicConstraints, critical.
    sequence(objectId('551d13'), der(0x01, Buffer.of(0xff)), der(0x04, ...isAuthority)),
  );
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    ecdsaWithSha256,
    toName(content.issuer),
    sequence(toTime(content.notBefore), toTime(content.notAfter)),
    toName(content.subject),
    publicKey,
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', signed, signingKey));
  const base64 = sequence(signed, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** The object identifiers of the attributes, in hexadecimal digits. */
const attributeIds = { C: '550406', O: '55040a', OU: '55040b', CN: '550403' } as const;

function toName(subject: TestSubject): Buffer {
  const parts = Object.entries(attributeIds).flatMap(([name, id]) => {
    const value = subject[name as keyof TestSubject];
    if (value === undefined) return [];
    // A country is a PrintableString, any other attribute can be UTF-8.
    const text = der(name === 'C' ? 0x13 : 0x0c, Buffer.from(value));
    return [der(0x31, sequence(objectId(id), text))];
  });
  return sequence(...parts);
}

function toTime(time: number): Buffer {
  const text = new Date(time).toISOString().replaceAll(/\.\d+|[-:T]/gu, '');
  // Years before 2050 have two digits.
  return text < '2050' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

/** Writes a value in DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}
