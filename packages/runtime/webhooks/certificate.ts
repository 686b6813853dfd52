import { contentOf, malformed, readAscii, readDer, readInside, readObjectId } from './der.ts';
import type { DerValue } from './der.ts';
import { readName, type DistinguishedName } from './distinguished-name.ts';
import type { MaybePromise } from './maybe-promise.ts';

/** A name of a certificate beside its subject (`subjectAltName`). */
export type AltName =
  /** A domain, compared without case. `*` has no special meaning. */
  | { readonly dns: string }
  /** An address, compared with case, such as a SPIFFE id. */
  | { readonly uri: string }
  /** An e-mail address, compared with case. */
  | { readonly email: string };

/** The certificate of a client, as far as it identifies the client. */
export interface ClientCertificate {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  /** `undefined` if its source does not provide them. */
  readonly altNames: readonly AltName[] | undefined;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
  /** Returns the SHA-256 digest of the certificate, as hexadecimal digits in lower case. */
  readonly fingerprint: () => MaybePromise<string>;
}

/** Why a certificate is refused. */
export type CertificateFailure =
  /** The connection, or the header of the proxy, has no certificate. */
  | 'no-certificate'
  /** The server has not authorized the connection: it is not TLS, or has no certificate of a trusted authority. */
  | 'unauthorized-connection'
  /** The header, or the element of it that counts, has several certificates. */
  | 'repeated-certificate'
  /** What should be a certificate is none. */
  | 'malformed-certificate'
  /** The request with the header is not from one of the `proxies`. */
  | 'not-from-proxy'
  /** The platform could not verify the certificate. */
  | 'unverified-certificate'
  /** The authority has revoked the certificate. */
  | 'revoked-certificate'
  | 'certificate-not-yet-valid'
  | 'expired-certificate'
  /** The certificate does not satisfy the rule with this name. */
  | `other-${'subject' | 'subjectAltName' | 'issuer' | 'fingerprint'}`;

/**
 * Reads a certificate in DER. Does not verify its signature: the server or proxy that accepted the connection has done that.
 * @throws SyntaxError for bytes that are not exactly one X.509 certificate
 * @see RFC 5280, section 4.1
 */
export function readCertificate(der: Uint8Array): ClientCertificate {
  const [certificate, ...trailingValues] = readDer(der);
  const [content, algorithm, signature, ...rest] = readInside(certificate, 0x30);
  contentOf(algorithm, 0x30);
  contentOf(signature, 0x03);
  if (trailingValues.length + rest.length > 0) throw malformed();
  const members = readInside(content, 0x30);
  const [, , issuer, validity, subject, , ...optional] =
    members[0]?.tag === 0xa0 ? members.slice(1) : members;
  const [from, to, ...more] = readInside(validity, 0x30);
  if (more.length > 0) throw malformed();
  return {
    subject: readName(subject),
    issuer: readName(issuer),
    altNames: readAltNames(optional.find(({ tag }) => tag === 0xa3)),
    notBefore: readTime(from),
    notAfter: readTime(to),
    fingerprint: async () => {
      const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(der));
      return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}

/**
 * Reads the one certificate of a PEM file.
 * @throws SyntaxError for a text without a certificate, with several, or with other text
 * @see RFC 7468
 */
export function readPem(pem: string): ClientCertificate {
  const [, base64 = ''] =
    /^\s*-----BEGIN CERTIFICATE-----([A-Za-z\d+/=\s]+)-----END CERTIFICATE-----\s*$/u.exec(pem) ??
    [];
  return readBase64(base64.replaceAll(/\s/gu, ''));
}

/**
 * Reads a certificate in Base64.
 * @throws SyntaxError for a text that is not exactly the Base64 of one certificate
 */
export function readBase64(base64: string): ClientCertificate {
  let text: string;
  try {
    text = atob(base64);
  } catch {
    throw malformed();
  }
  // A text that only resembles Base64 would be a second way to write the same certificate.
  if (btoa(text) !== base64) throw malformed();
  return readCertificate(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

const timePattern = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})Z$/u;

function readTime(value: DerValue | undefined): number {
  if (value === undefined) throw malformed();
  const { tag, content } = value;
  // Two digits of a year in UTCTime, four in GeneralizedTime.
  const digits = tag === 0x17 ? 2 : 4;
  const [, year = '', month, day, hour, minute, second] =
    timePattern.exec(readAscii(content) ?? '') ?? [];
  if ((tag !== 0x17 && tag !== 0x18) || year.length !== digits) throw malformed();
  const century = digits === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const time = Date.parse(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw malformed();
  return time;
}

function readAltNames(extensions: DerValue | undefined): readonly AltName[] {
  if (extensions === undefined) return [];
  const [list, ...trailingValues] = readInside(extensions, 0xa3);
  if (trailingValues.length > 0) throw malformed();
  const values = readInside(list, 0x30).flatMap((extension) => {
    const members = readInside(extension, 0x30);
    return readObjectId(members[0]) === '2.5.29.17' ? [members.at(-1)] : [];
  });
  // Two lists would be two answers to the same question.
  if (values.length > 1) throw malformed();
  return values.flatMap((value) => {
    const [names, ...more] = readInside(value, 0x04);
    if (more.length > 0) throw malformed();
    return readInside(names, 0x30).flatMap(({ tag, content }): AltName[] => {
      const kind = kinds.get(tag);
      if (kind === undefined) return [];
      const text = readAscii(content);
      if (text === undefined) throw malformed();
      return [kind(text)];
    });
  });
}

/** The names of RFC 5280, section 4.2.1.6, that identify a client here. */
const kinds: ReadonlyMap<number, (text: string) => AltName> = new Map([
  [0x81, (email: string): AltName => ({ email })],
  [0x82, (dns: string): AltName => ({ dns })],
  [0x86, (uri: string): AltName => ({ uri })],
]);
