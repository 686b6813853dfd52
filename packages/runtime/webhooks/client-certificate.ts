/** Authentication by the client certificate of TLS, from the connection or from a header of a proxy. */

import { type WarnOfFailure, builtinModule, createFailureWarnings } from '../base/index.ts';
import {
  type AdapterName,
  type Authentication,
  type Verdict,
  createSecretTest,
} from './authentication.ts';
import {
  type DeliveredRequest,
  type MaybePromise,
  assertHeaderName,
  invalid,
  missing,
} from './contract.ts';

/** A value in DER (ITU-T X.690). */
interface DerValue {
  /** The first byte of the value: its class, whether it is constructed, and its number. */
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Reads the values that fill the bytes completely.
 * @throws SyntaxError for bytes that are not DER
 */
function readDer(bytes: Uint8Array): readonly DerValue[] {
  const values: DerValue[] = [];
  let start = 0;
  while (start < bytes.length) {
    const tag = bytes[start] ?? 0;
    // A tag number above 30 takes several bytes. Certificates have none.
    if ((tag & 0x1f) === 0x1f) throw malformed();
    const [length, header] = readLength(bytes, start + 1);
    const from = start + 1 + header;
    const end = from + length;
    if (end > bytes.length) throw malformed();
    values.push({ tag, content: bytes.subarray(from, end) });
    start = end;
  }
  return values;
}

/**
 * Returns the values inside the value, which must have the tag.
 * @throws SyntaxError for another tag, and for content that is not DER
 */
function readInside(value: DerValue | undefined, tag: number): readonly DerValue[] {
  return readDer(contentOf(value, tag));
}

/**
 * Returns the content of the value, which must have the tag.
 * @throws SyntaxError for another tag
 */
function contentOf(value: DerValue | undefined, tag: number): Uint8Array {
  if (value?.tag !== tag) throw malformed();
  return value.content;
}

/** The maximum bytes of an object identifier. Its numbers are added up bit by bit, which takes quadratic time. */
const maxObjectIdBytes = 128;

/**
 * Returns an object identifier in dotted form.
 * @throws SyntaxError for a value of another type, and for one that is longer than any that is assigned
 */
export function readObjectId(value: DerValue | undefined): string {
  const content = contentOf(value, 0x06);
  if (content.length > maxObjectIdBytes) throw malformed();
  const numbers: bigint[] = [];
  let number = 0n;
  let isComplete = true;
  for (const byte of content) {
    // A leading zero would be a second way to write the same identifier.
    if (isComplete && byte === 0x80) throw malformed();
    number = (number << 7n) | BigInt(byte & 0x7f);
    isComplete = byte < 0x80;
    if (!isComplete) continue;
    numbers.push(number);
    number = 0n;
  }
  const [first] = numbers;
  if (!isComplete || first === undefined) throw malformed();
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...numbers.slice(1)].join('.');
}

/** Returns the text of a string; `undefined` for a type that is not a string, and for bytes that its type excludes. */
function readText({ tag, content }: DerValue): string | undefined {
  if (tag === 0x0c) return decode('utf-8', content);
  // A BMPString has two bytes for each character.
  if (tag === 0x1e) return content.length % 2 === 0 ? decode('utf-16be', content) : undefined;
  // NumericString, PrintableString, IA5String and VisibleString have ASCII only.
  const isAscii = tag === 0x12 || tag === 0x13 || tag === 0x16 || tag === 0x1a;
  if (isAscii) return readAscii(content);
  // Issuers write TeletexString as Latin-1.
  return tag === 0x14 ? String.fromCharCode(...content) : undefined;
}

/** Returns the text of ASCII bytes; `undefined` for other bytes. */
function readAscii(content: Uint8Array): string | undefined {
  return content.every((byte) => byte < 0x80) ? String.fromCharCode(...content) : undefined;
}

/** Creates the error for bytes that are not what they must be. It contains nothing of them. */
function malformed(): SyntaxError {
  return new SyntaxError('The certificate is malformed.');
}

function readLength(bytes: Uint8Array, at: number): readonly [length: number, header: number] {
  const first = bytes[at];
  if (first === undefined) throw malformed();
  if (first < 0x80) return [first, 1];
  const count = first & 0x7f;
  // The indefinite form, and lengths that no certificate has.
  if (count === 0 || count > 3) throw malformed();
  let length = 0;
  for (const byte of bytes.subarray(at + 1, at + 1 + count)) length = length * 256 + byte;
  if (length < 0x80 || length < 256 ** (count - 1) || at + count >= bytes.length) throw malformed();
  return [length, 1 + count];
}

function decode(encoding: 'utf-8' | 'utf-16be', bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The attributes of a distinguished name, in the order of the certificate: object identifier and value. */
export type DistinguishedName = readonly (readonly [objectId: string, value: string | undefined])[];

/** The short names of attributes, and their object identifiers. */
const objectIds = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  serialNumber: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  title: '2.5.4.12',
  businessCategory: '2.5.4.15',
  postalCode: '2.5.4.17',
  GN: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  emailAddress: '1.2.840.113549.1.9.1',
} as const;

/** The short names of attributes. */
const attributeNames: readonly string[] = Object.keys(objectIds);

/** The name of an attribute: a short one, or an object identifier such as `2.5.4.3`. */
export type AttributeName = keyof typeof objectIds | `${number}.${string}`;

/**
 * Attributes of a distinguished name. Each must be in the certificate with exactly this value, or with exactly these
 * values in their order, compared with case. Attributes that are not named do not matter.
 */
export type Attributes = { readonly [name in AttributeName]?: string | readonly string[] };

/** Returns the object identifier of an attribute; `undefined` for an unknown name. */
function objectIdOf(name: string): string | undefined {
  if (/^[0-2](?:\.(?:0|[1-9]\d*))+$/u.test(name)) return name;
  return Object.hasOwn(objectIds, name) ? objectIds[name as keyof typeof objectIds] : undefined;
}

/** Returns whether a distinguished name has the attributes. */
export function hasAttributes(name: DistinguishedName, attributes: Attributes): boolean {
  return Object.entries(attributes).every(([attribute, expected]) => {
    const objectId = objectIdOf(attribute);
    const values = name.filter(([id]) => id === objectId).map(([, value]) => value);
    const wanted: readonly unknown[] = [expected].flat();
    return values.length === wanted.length && values.every((value, at) => value === wanted[at]);
  });
}

/**
 * Reads a `Name` of X.509.
 * @throws SyntaxError for a value that is none
 * @see RFC 5280, section 4.1.2.4
 */
function readName(value: DerValue | undefined): DistinguishedName {
  return readInside(value, 0x30).flatMap((part) =>
    readInside(part, 0x31).map((attribute): DistinguishedName[number] => {
      const [type, text, ...trailingValues] = readInside(attribute, 0x30);
      if (text === undefined || trailingValues.length > 0) throw malformed();
      return [readObjectId(type), readText(text)];
    }),
  );
}

/** One attribute with what separates it from the next: a value as hexadecimal digits, or a text with escapes. */
const attributePattern =
  / *([A-Za-z][A-Za-z\d-]*|\d+(?:\.\d+)+)=(?:#((?:[\dA-Fa-f]{2})+)|((?:\\(?:[\dA-Fa-f]{2}|[ "#+,;<=>\\])|[^"+,;<>\\])*))([+,]|$)/uy;

/**
 * Reads the text of a distinguished name, whose parts are in the reverse order.
 * @throws SyntaxError for a text that is none
 * @see RFC 2253, and RFC 4514, which replaces it
 */
export function parseName(text: string): DistinguishedName {
  if (text === '') return [];
  const parts: DistinguishedName[number][][] = [[]];
  attributePattern.lastIndex = 0;
  for (let isLast = false; !isLast;) {
    const [, type = '', hex, value = '', separator] = attributePattern.exec(text) ?? [];
    if (separator === undefined) throw malformed();
    parts.at(-1)?.push([idOfType(type), hex === undefined ? unescape(value) : fromHex(hex)]);
    if (separator === ',') parts.push([]);
    isLast = separator === '';
  }
  return parts.toReversed().flat();
}

/** Returns the object identifier of a type in any case, or the type itself, which no rule has. */
function idOfType(type: string): string {
  const lower = type.toLowerCase();
  const name = attributeNames.find((candidate) => candidate.toLowerCase() === lower);
  return objectIdOf(name ?? type) ?? type;
}

/** Returns the value without escapes; `undefined` for bytes that are not UTF-8. */
function unescape(value: string): string | undefined {
  const tokens = [...value.matchAll(/\\([\dA-Fa-f]{2})|\\(.)|([^\\])/gsu)];
  // Spaces at both ends, and `#` at the beginning, would have to be escaped.
  if (/^[ #]/u.test(value) || tokens.at(-1)?.[3] === ' ') throw malformed();
  const bytes = tokens.flatMap(([, hex, escaped, plain]) =>
    hex === undefined
      ? [...new TextEncoder().encode(escaped ?? plain)]
      : [Number.parseInt(hex, 16)],
  );
  return readText({ tag: 0x0c, content: Uint8Array.from(bytes) });
}

function fromHex(hex: string): string | undefined {
  const bytes = Uint8Array.from(hex.match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16));
  const [value, ...trailingValues] = readDer(bytes);
  if (value === undefined || trailingValues.length > 0) throw malformed();
  return readText(value);
}

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

/**
 * Checks a value of a rule for certificates.
 * @param rule the name of the rule, for the message
 * @throws WebhookError `invalid-option` for a value that no certificate can have
 */
type CheckRule = (rule: string, value: unknown) => void;

/** Checks attributes of a distinguished name. */
const checkAttributes: CheckRule = (rule, value) => {
  for (const [name, wanted] of entriesOf(rule, value, "`{ CN: 'callbacks.bank.example' }`")) {
    if (objectIdOf(name) === undefined)
      throw invalid(
        `\`${rule}\` has the unknown attribute \`${name}\`: an attribute is one of ${attributeNames.join(', ')}, or an object identifier such as 2.5.4.3`,
      );
    const values: readonly unknown[] = [wanted].flat();
    if (values.length === 0) throw invalid(`\`${name}\` of \`${rule}\` is an empty list`);
    for (const attributeValue of values) checkText(`\`${name}\` of \`${rule}\``, attributeValue);
  }
};

const altNameKinds: readonly string[] = ['dns', 'uri', 'email'];

/** Checks another name of the subject. */
const checkAltName: CheckRule = (rule, value) => {
  const entries = entriesOf(rule, value, "`{ dns: 'callbacks.bank.example' }`");
  for (const [kind, name] of entries) {
    if (!altNameKinds.includes(kind))
      throw invalid(
        `\`${rule}\` has a name of the unknown kind \`${kind}\`: a kind is one of ${altNameKinds.join(', ')}`,
      );
    checkText(`\`${kind}\` of \`${rule}\``, name);
  }
  if (entries.length > 1)
    throw invalid(`\`${rule}\` has several kinds in one name; write a list of names instead`);
};

/** Checks the digest of a certificate. */
const checkFingerprint: CheckRule = (rule, value) => {
  checkText(`\`${rule}\``, value);
  const digest = String(value);
  if (/^[\da-f]{2}(?::?[\da-f]{2}){19}$/iu.test(digest))
    throw invalid(
      `\`${rule}\` has as many digits as SHA-1 has; it must be a SHA-256 digest in 64 hexadecimal digits`,
    );
  if (!/^[\da-f]{2}(?::?[\da-f]{2}){31}$/iu.test(digest))
    throw invalid(
      `\`${rule}\` must be a SHA-256 digest in 64 hexadecimal digits, with or without colons`,
    );
};

/** Returns the members of an object that has at least one. */
function entriesOf(
  rule: string,
  value: unknown,
  example: string,
): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === '') throw missing(`\`${rule}\``);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries: readonly (readonly [string, unknown])[] = isObject ? Object.entries(value) : [];
  if (entries.length === 0)
    throw invalid(`\`${rule}\` must be an object such as ${example}, or a list of such objects`);
  return entries;
}

function checkText(what: string, value: unknown): void {
  if (value === undefined || value === null) throw missing(what);
  if (typeof value !== 'string') throw invalid(`${what} must be a text`);
  if (value.trim() === '') throw missing(what);
}

/** Where the certificate of a client comes from. */
export interface CertificateSource {
  /** The function that creates it, as messages name it. */
  readonly name: string;
  /** The adapters that provide what it reads; `undefined` if all do. */
  readonly adapters: readonly AdapterName[] | undefined;
  /** Whether it provides the names beside the subject. */
  readonly hasAltNames: boolean;
  /**
   * Returns the certificate whose possession the client has proven to who accepted the connection, or the reason why
   * there is none.
   * @throws SyntaxError for a certificate that is malformed
   * @throws WebhookError `invalid-option` where the adapter provides no connection
   */
  readonly read: (request: DeliveredRequest) => ClientCertificate | CertificateFailure;
}

/**
 * Takes the certificate from the TLS connection of a server of Node, Bun or Deno. The server must have `requestCert: true`
 * and the authority of the clients in `ca`. With `rejectUnauthorized: false`, connections without a valid certificate get
 * as far as the receiver, which refuses them. A process warning reports once that a connection is not TLS, and once that
 * its server requests no certificates: such connections are never authorized.
 * @see https://nodejs.org/api/tls.html#tlssocketauthorized
 */
export function tlsSocket(): CertificateSource {
  const warn = createFailureWarnings();
  return {
    name: 'tlsSocket()',
    adapters: ['node', 'hono'],
    hasAltNames: true,
    read: (request) => {
      const socket = connectionOf<TlsSocket>(request, 'tlsSocket()');
      // A resumed session of TLS 1.3 counts as authorized even if its client has never shown a certificate, so both count.
      if (socket.authorized !== true) {
        warnOfSetup(warn, socket);
        return 'unauthorized-connection';
      }
      // A socket that is already closed has none.
      const raw = socket.getPeerCertificate?.()?.raw;
      return raw instanceof Uint8Array ? readCertificate(raw) : 'no-certificate';
    },
  };
}

/**
 * Takes the certificate from what API Gateway passes to AWS Lambda, for a custom domain with mutual TLS, of a REST API
 * (`requestContext.identity.clientCert`) or an HTTP API (`requestContext.authentication.clientCert`). Switch off the
 * default endpoint `execute-api` of the API: it requires no certificate, so that its deliveries are refused.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/rest-api-mutual-tls.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mutual-tls.html
 */
export function apiGateway(): CertificateSource {
  return {
    name: 'apiGateway()',
    adapters: ['aws-lambda', 'hono'],
    hasAltNames: true,
    read: (request) => {
      const context = connectionOf<GatewayContext>(request, 'apiGateway()');
      const { clientCertPem } =
        context.authentication?.clientCert ?? context.identity?.clientCert ?? {};
      return typeof clientCertPem === 'string' ? readPem(clientCertPem) : 'no-certificate';
    },
  };
}

/**
 * Takes the certificate from `request.cf.tlsClientAuth` of Cloudflare Workers, where the host of the Worker has mutual
 * TLS. A certificate that is not verified, or is revoked, is refused. Cloudflare provides no `subjectAltName`.
 * @see https://developers.cloudflare.com/ssl/client-certificates/client-certificate-variables/
 */
export function cloudflareTls(): CertificateSource {
  return {
    name: 'cloudflareTls()',
    adapters: ['cloudflare', 'hono'],
    hasAltNames: false,
    read: (request) => {
      const { tlsClientAuth } = connectionOf<CloudflareProperties>(request, 'cloudflareTls()');
      if (tlsClientAuth?.certPresented !== '1') return 'no-certificate';
      const { certVerified, certRevoked } = tlsClientAuth;
      // A revoked certificate counts as verified too.
      if (certVerified !== 'SUCCESS') return 'unverified-certificate';
      if (certRevoked !== '0') return 'revoked-certificate';
      const textOf = (name: keyof TlsClientAuth): string => {
        const text = tlsClientAuth[name];
        return typeof text === 'string' ? text : '';
      };
      const fingerprint = textOf('certFingerprintSHA256').toLowerCase();
      return {
        subject: parseName(textOf('certSubjectDNRFC2253')),
        issuer: parseName(textOf('certIssuerDNRFC2253')),
        altNames: undefined,
        notBefore: timeOf(textOf('certNotBefore')),
        notAfter: timeOf(textOf('certNotAfter')),
        fingerprint: () => fingerprint,
      };
    },
  };
}

/** Returns a time such as `Dec 22 19:39:00 2018 GMT` in milliseconds since 1970; `NaN` for another text. */
function timeOf(text: string): number {
  return /^[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2} \d{4} GMT$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
}

/** Warns of a server none of whose connections can be authorized. */
function warnOfSetup(warn: WarnOfFailure, socket: TlsSocket): void {
  const code = 'COUNTERSIGN_NO_CLIENT_CERTIFICATE';
  const refused = 'The delivery was refused, and so is every other on such a connection.';
  if (typeof socket.authorized !== 'boolean')
    return warn({
      code,
      message: '`tlsSocket()` got a connection that is not TLS',
      help: `${refused} Create the server with \`node:https\`, \`requestCert: true\`, and the authority of the senders in \`ca\`. Behind a proxy that ends TLS, use \`proxyHeader(…)\`.`,
    });
  // A server that verified a certificate, or missed it, gives the reason.
  const { authorizationError, getPeerCertificate } = socket;
  if (!authorizationError && !getPeerCertificate?.call(socket)?.raw)
    warn({
      code,
      message: '`tlsSocket()` got a connection whose server requested no certificate',
      help: `${refused} Create the server with \`requestCert: true\`, and the authority of the senders in \`ca\`.`,
    });
}

/** The part of a TLS socket that is used. */
interface TlsSocket {
  readonly authorized?: unknown;
  /** Why the certificate is not trusted, or missing. Left out, or `null`, where the server requested none. */
  readonly authorizationError?: unknown;
  readonly getPeerCertificate?: () => { readonly raw?: unknown } | null;
}

interface GatewayContext {
  readonly identity?: WithCertificate | null;
  readonly authentication?: WithCertificate | null;
}

interface WithCertificate {
  readonly clientCert?: { readonly clientCertPem?: unknown } | null;
}

interface CloudflareProperties {
  readonly tlsClientAuth?: TlsClientAuth | null;
}

/** The properties of `tlsClientAuth` that are used. */
interface TlsClientAuth {
  readonly certPresented?: unknown;
  readonly certVerified?: unknown;
  readonly certRevoked?: unknown;
  readonly certSubjectDNRFC2253?: unknown;
  readonly certIssuerDNRFC2253?: unknown;
  readonly certFingerprintSHA256?: unknown;
  readonly certNotBefore?: unknown;
  readonly certNotAfter?: unknown;
}

/** Returns what the adapter provides of the connection. */
function connectionOf<T extends object>({ connection }: DeliveredRequest, source: string): T {
  if (typeof connection === 'object' && connection !== null) return connection as T;
  throw invalid(`the adapter provides no connection, which \`${source}\` reads`);
}

/** How a proxy writes a certificate in a header. */
export type CertificateFormat =
  /** DER in Base64 between colons, as RFC 9440 has it for `Client-Cert`. */
  | 'rfc-9440'
  /** Elements with `Cert="…"`, as Envoy writes `X-Forwarded-Client-Cert`. Its setting `cert` must be `true`. */
  | 'xfcc'
  /** PEM with percent encoding, such as `$ssl_client_escaped_cert` of nginx. */
  | 'escaped-pem';

/** The options of `proxyHeader`. */
export interface ProxyHeaderOptions {
  /**
   * The name of the header, in any case: `Client-Cert` (RFC 9440), `X-Forwarded-Client-Cert` (Envoy),
   * `X-Amzn-Mtls-Clientcert-Leaf` (an AWS load balancer that verifies), or another one with `format`.
   */
  readonly header: string;
  /** Required for a header without a known format. */
  readonly format?: CertificateFormat;
  /**
   * States that the proxy verifies the certificate, and removes this header from every request of a client before it adds
   * its own. Otherwise, any client can write any certificate into the header.
   */
  readonly trust: 'proxy-replaces-header';
  /**
   * The addresses of the proxies, and ranges such as `10.0.0.0/8`: requests from other addresses are refused. An adapter
   * of Node knows the address; for others, and for a socket without an address, `only-proxies-can-connect` states that the
   * network lets no other host connect.
   */
  readonly proxies: readonly string[] | 'only-proxies-can-connect';
  /**
   * Which element of `X-Forwarded-Client-Cert` counts. `only` refuses a header with several. `first` is that of the client
   * of the first proxy, and requires that this proxy replaces the header; `last` is that of the client of the last proxy.
   * Default: `only`.
   */
  readonly element?: 'only' | 'first' | 'last';
}

/**
 * Takes the certificate from a header that a proxy adds. The header is read only with the statement `trust`, and only from
 * `proxies`.
 * @throws WebhookError `invalid-option` without the statement, for a header that no proxy verifies or of unknown format,
 * and for `proxies` that are not addresses
 * @see https://www.rfc-editor.org/rfc/rfc9440
 * @see https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_conn_man/headers#x-forwarded-client-cert
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/mutual-authentication.html
 */
export function proxyHeader(options: ProxyHeaderOptions): CertificateSource {
  const { header, trust, proxies, element = 'only' } = options;
  const name = typeof header === 'string' ? header.toLowerCase() : '';
  if (name === '') throw missing('`header`');
  assertHeaderName(name, '`header`');
  if (name === 'x-amzn-mtls-clientcert')
    throw invalid(
      'a load balancer that adds X-Amzn-Mtls-Clientcert has verified nothing; let it verify, and name X-Amzn-Mtls-Clientcert-Leaf',
    );
  const format = options.format ?? formats.get(name);
  const parse = format === undefined ? undefined : parsers[format];
  if (parse === undefined)
    throw invalid('`format` must be the format of the header: rfc-9440, xfcc or escaped-pem');
  if (trust !== 'proxy-replaces-header')
    throw invalid(
      '`trust` must be proxy-replaces-header, which states that the proxy removes this header from the requests of clients',
    );
  if (!['only', 'first', 'last'].includes(element))
    throw invalid('`element` must be only, first or last');
  if (element !== 'only' && format !== 'xfcc')
    throw invalid('`element` has no effect, because this format has one certificate');
  const isProxy =
    proxies === 'only-proxies-can-connect' ? undefined : createProxyTest([proxies].flat());
  return {
    name: 'proxyHeader() with addresses in `proxies`',
    adapters: isProxy === undefined ? undefined : ['node', 'hono'],
    hasAltNames: true,
    read: (request) => {
      if (isProxy !== undefined && !isProxy(addressOf(request))) return 'not-from-proxy';
      const values = request.headers(name);
      const [value] = values;
      if (value === undefined) return 'no-certificate';
      return values.length > 1 ? 'repeated-certificate' : parse(value.trim(), element);
    },
  };
}

/**
 * Creates a test of whether an address is one of those of the proxies.
 * @param proxies addresses and ranges such as `10.0.0.0/8`, of IPv4 and IPv6
 * @throws WebhookError `invalid-option` for an empty list, for a text that is neither an address nor a range, and on a
 * platform without `node:net`, none of whose adapters provides the address of who has connected
 */
function createProxyTest(proxies: readonly string[]): (address: string) => boolean {
  const node = builtinModule('node:net');
  if (node === undefined)
    throw invalid('this platform does not provide the address of a proxy, which `proxies` names');
  const { BlockList, isIP } = node;
  const list = new BlockList();
  if (proxies.length === 0) throw invalid('`proxies` names no address');
  for (const proxy of proxies) {
    if (!proxy) throw missing('an address in `proxies`');
    if (typeof proxy !== 'string') throw noAddresses();
    const [address = '', prefix, ...rest] = proxy.split('/');
    const version = isIP(address);
    const bits = prefix === undefined || /^\d{1,3}$/u.test(prefix) ? Number(prefix ?? 0) : -1;
    if (version === 0 || rest.length > 0 || bits < 0 || bits > (version === 4 ? 32 : 128))
      throw noAddresses();
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

function noAddresses(): Error {
  return invalid('`proxies` must have addresses such as 10.0.0.7, and ranges such as 10.0.0.0/8');
}

/** Returns the address of who has connected; empty for a socket without an address. */
function addressOf({ connection }: DeliveredRequest): string {
  if (typeof connection !== 'object' || connection === null)
    throw invalid('the adapter provides no connection, whose address `proxies` names');
  const { remoteAddress }: { readonly remoteAddress?: unknown } = connection;
  return typeof remoteAddress === 'string' ? remoteAddress : '';
}

const formats: ReadonlyMap<string, CertificateFormat> = new Map([
  ['client-cert', 'rfc-9440'],
  ['x-forwarded-client-cert', 'xfcc'],
  ['x-amzn-mtls-clientcert-leaf', 'escaped-pem'],
]);

type Element = NonNullable<ProxyHeaderOptions['element']>;

const parsers: Readonly<
  Record<
    CertificateFormat,
    (value: string, element: Element) => ClientCertificate | CertificateFailure
  >
> = {
  'rfc-9440': (value) => {
    const [, base64] = /^:([A-Za-z\d+/]+={0,2}):$/u.exec(value) ?? [];
    if (base64 === undefined) throw malformed();
    return readBase64(base64);
  },
  xfcc: (value, element) => {
    const elements = parseElements(value);
    if (element === 'only' && elements.length > 1) return 'repeated-certificate';
    const members = elements.at(element === 'first' ? 0 : -1) ?? [];
    const certificates = members.filter(([key]) => key === 'cert');
    const [certificate] = certificates;
    if (certificate === undefined) return 'no-certificate';
    return certificates.length > 1 ? 'repeated-certificate' : readEscapedPem(certificate[1]);
  },
  'escaped-pem': readEscapedPem,
};

function readEscapedPem(value: string): ClientCertificate {
  let pem: string;
  try {
    pem = decodeURIComponent(value);
  } catch {
    throw malformed();
  }
  return readPem(pem);
}

/** Parses elements such as `By=a;Cert="b",By=c`. A value in quotes can have each separator. */
function parseElements(value: string): readonly (readonly (readonly [string, string])[])[] {
  const elements: (readonly [string, string])[][] = [[]];
  const member = /\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;=]*))([,;]|$)/uy;
  for (let isLast = false; !isLast;) {
    const [, key, quoted, plain = '', separator] = member.exec(value) ?? [];
    if (key === undefined) throw malformed();
    const text = quoted === undefined ? plain : quoted.replaceAll(/\\(.)/gu, '$1');
    elements.at(-1)?.push([key.toLowerCase(), text]);
    if (separator === ',') elements.push([]);
    isLast = separator === '';
  }
  return elements;
}

/**
 * One value, or a list of which one must match. A list is read for each delivery, so that it can change while the
 * receiver runs; a function is called for each delivery.
 */
export type Listed<T> = T | readonly T[] | (() => MaybePromise<readonly T[]>);

/** What a certificate must have. At least one of `subject`, `subjectAltName`, `issuer` and `fingerprint` is required. */
export interface ClientCertificateRules {
  /** Attributes of the subject, such as `{ O: 'Bank', CN: 'callbacks.bank.example' }`. */
  readonly subject?: Listed<Attributes>;
  /** One of the other names of the subject. */
  readonly subjectAltName?: Listed<AltName>;
  /**
   * Attributes of the issuer. By itself, it accepts every certificate of this issuer: only for one that issues certificates
   * to the sender alone.
   */
  readonly issuer?: Listed<Attributes>;
  /** SHA-256 digests of certificates in hexadecimal digits, in any case, with or without colons. */
  readonly fingerprint?: Listed<string>;
}

/** The options of `clientCertificate`. A certificate must satisfy each of the rules. */
export interface ClientCertificateOptions extends ClientCertificateRules {
  /** Where the certificate comes from: `tlsSocket()`, `apiGateway()`, `cloudflareTls()` or `proxyHeader(…)`. */
  readonly from: CertificateSource;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/**
 * Creates an authentication by the certificate of the client (mutual TLS). Who accepts the connection verifies that its
 * issuer is trusted and that the client has its key; this verifies whose certificate it is. A certificate that has
 * expired or is not yet valid is refused, even if the connection was accepted before.
 * @throws WebhookError `invalid-option` without a rule, for a rule that is `undefined`, that nothing can satisfy or that the
 * source cannot verify, and when an adapter is created that does not provide what the source reads
 */
export function clientCertificate(options: ClientCertificateOptions): Authentication {
  const { from, clock = () => Date.now() } = options;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- callers without types
  if (typeof from?.read !== 'function')
    throw invalid(
      '`from` must be `tlsSocket()`, `apiGateway()`, `cloudflareTls()` or `proxyHeader(…)`',
    );
  if (typeof clock !== 'function') throw invalid('`clock` must be a function');
  if (options.subjectAltName !== undefined && !from.hasAltNames)
    throw invalid(`\`${from.name}\` provides no \`subjectAltName\``);
  const rules = toRules(options);
  if (rules.length === 0)
    throw invalid(
      'a client certificate needs a rule, or every certificate that the connection accepts would do: `subject`, `subjectAltName`, `issuer` or `fingerprint`',
    );
  const authenticate = async (request: DeliveredRequest): Promise<Verdict<CertificateFailure>> => {
    let certificate: ClientCertificate | CertificateFailure;
    try {
      certificate = from.read(request);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      certificate = 'malformed-certificate';
    }
    if (typeof certificate === 'string') return { ok: false, reason: certificate };
    return await verify(certificate, rules, clock());
  };
  return Object.assign(authenticate, {
    admit: (adapter: AdapterName | undefined) => {
      if (adapter !== undefined && from.adapters?.includes(adapter) === false)
        throw invalid(
          `the adapter \`${adapter}\` does not provide what \`${from.name}\` reads; let a proxy in front of it add the certificate, and use \`proxyHeader(…)\` with \`proxies: 'only-proxies-can-connect'\``,
        );
    },
  });
}

/** A rule of the options. */
interface Rule {
  /** The reason where it is not satisfied. */
  readonly reason: CertificateFailure;
  readonly isSatisfied: (certificate: ClientCertificate) => MaybePromise<boolean>;
}

async function verify(
  certificate: ClientCertificate,
  rules: readonly Rule[],
  now: number,
): Promise<Verdict<CertificateFailure>> {
  const { notBefore, notAfter } = certificate;
  // Times that are not numbers are refused.
  if (!(now >= notBefore)) return { ok: false, reason: 'certificate-not-yet-valid' };
  if (!(now <= notAfter)) return { ok: false, reason: 'expired-certificate' };
  for (const { reason, isSatisfied } of rules)
    if (!(await isSatisfied(certificate))) return { ok: false, reason };
  return { ok: true };
}

function toRules(options: ClientCertificateRules): readonly Rule[] {
  const { subject, subjectAltName, issuer, fingerprint } = options;
  const rules: Rule[] = [];
  const add = <T>(
    name: keyof ClientCertificateRules,
    listed: Listed<T> | undefined,
    check: CheckRule,
    matches: (certificate: ClientCertificate, values: readonly T[]) => MaybePromise<boolean>,
  ): void => {
    if (listed === undefined) {
      // A rule that is lost, such as one of a variable that is not set, would let more certificates in.
      if (Object.hasOwn(options, name)) throw missing(`\`${name}\``);
      return;
    }
    const read = createList(name, listed, check);
    rules.push({
      reason: `other-${name}`,
      isSatisfied: async (certificate) => await matches(certificate, await read()),
    });
  };
  add('subject', subject, checkAttributes, (certificate, values) =>
    values.some((attributes) => hasAttributes(certificate.subject, attributes)),
  );
  add('subjectAltName', subjectAltName, checkAltName, ({ altNames = [] }, values) =>
    values.some((value) => altNames.some((name) => isSameName(name, value))),
  );
  add('issuer', issuer, checkAttributes, (certificate, values) =>
    values.some((attributes) => hasAttributes(certificate.issuer, attributes)),
  );
  add('fingerprint', fingerprint, checkFingerprint, async (certificate, values) =>
    createSecretTest(values.map(toDigits))([await certificate.fingerprint()]),
  );
  return rules;
}

/**
 * Creates a function that returns the current list.
 * @throws WebhookError `invalid-option` for an empty list, or a value that no certificate can have; for the result of a
 * function, and a list that has changed, the function that is returned throws it
 */
function createList<T>(
  name: string,
  listed: Listed<T>,
  check: CheckRule,
): () => Promise<readonly T[]> {
  const checked = (values: readonly T[]): readonly T[] => {
    if (!Array.isArray(values)) throw invalid(`the function \`${name}\` must return a list`);
    // A list that could not be read is more likely than one that lets nobody in: the sender is to try again.
    if (values.length === 0) throw invalid(`\`${name}\` is an empty list`);
    for (const value of values) check(name, value);
    return values;
  };
  if (typeof listed === 'function') {
    const read = listed as () => MaybePromise<readonly T[]>;
    return async () => checked(await read());
  }
  const list = Array.isArray(listed) ? (listed as readonly T[]) : [listed as T];
  checked(list);
  return async () => checked(list);
}

function toDigits(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

function isSameName(first: AltName, second: AltName): boolean {
  const [[kind, name] = []] = Object.entries(first);
  const [[wantedKind, wanted] = []] = Object.entries(second);
  if (kind !== wantedKind || typeof name !== 'string' || typeof wanted !== 'string') return false;
  return kind === 'dns' ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
}
