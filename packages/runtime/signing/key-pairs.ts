/** Signatures with a private key, which a public key verifies, by `node:crypto` or WebCrypto. */

import { type NodeModules, builtinModule, faultOfSecret } from '../base/index.ts';
import {
  assertForm,
  checkForm,
  checkedCore,
  demand,
  explain,
  fieldName,
  invalid,
  isFieldName,
  toObject,
} from './checked.ts';
import {
  type MaybePromise,
  type Piece,
  type Refusal,
  type SignableRequest,
  type SignatureForm,
  type SignedInput,
  type Signer,
  SigningError,
  type Verification,
  type Verifier,
  type VerifierOptions,
  type WebKey,
  compileValueReader,
  createSignerOf,
  createVerifierOf,
  decodeBytes,
  encodeBytes,
  readHeader,
  refuse,
  toValueItems,
} from './core.ts';

export {
  type Authentic,
  fromHeaders,
  type HeaderLookup,
  type InputProblem,
  type MaybePromise,
  type Refusal,
  type SignableRequest,
  type SignatureHeaders,
  type Signer,
  SigningError,
  type SigningErrorCode,
  type Verification,
  type VerificationFailure,
  type Verifier,
} from './core.ts';

/** The algorithm of a signature with a private key, which a public key verifies. */
export type KeyPairAlgorithm =
  | 'ed25519'
  | 'ecdsa-p256-sha256'
  | 'rsa-pss-sha256'
  | 'rsa-v1_5-sha256';

/** How requests are signed with a key pair, as plain data. */
export interface KeyPairScheme extends SignatureForm {
  readonly algorithm: KeyPairAlgorithm;
  /**
   * How the two numbers of an ECDSA signature are written: `raw`, 32 bytes each, or `der`, as ASN.1. Required for
   * `ecdsa-p256-sha256`.
   */
  readonly format?: 'raw' | 'der';
  /** The length of the salt in bytes, from 0 to 222. Required for `rsa-pss-sha256`. */
  readonly saltLength?: number;
  readonly key: {
    /** The encoding of an Ed25519 key that is written as its 32 bytes. Without it, keys are PEM or JWK. */
    readonly encoding?: 'base64' | 'hex';
    /** Text before a public key in `encoding` that is not part of it. */
    readonly prefix?: string;
    /** Text before a private key in `encoding` that is not part of it. */
    readonly privatePrefix?: string;
    /** The header that carries the id of the key, where it is not `{keyId}` in `value`. */
    readonly idHeader?: string;
  };
}

/** A key as JSON (RFC 7517). */
export interface Jwk {
  readonly kty?: string;
  readonly kid?: string;
  readonly [member: string]: unknown;
}

/**
 * A key: PEM (`PUBLIC KEY` or `PRIVATE KEY`), a JWK as an object or as JSON text, or for Ed25519 the bytes of the key, as
 * text in the encoding of the scheme.
 */
export type KeyMaterial = string | Jwk | Uint8Array;

/** A key with its id. A JWK has its id in `kid`, so that it needs no other. */
export interface IdentifiedKey {
  readonly id: string;
  readonly key: KeyMaterial;
}

const algorithms: ReadonlySet<string> = new Set<KeyPairAlgorithm>([
  'ed25519',
  'ecdsa-p256-sha256',
  'rsa-pss-sha256',
  'rsa-v1_5-sha256',
]);

/** Returns whether a scheme signs with a private key, and not with a secret that both sides have. */
export function isKeyPairScheme(scheme: { readonly algorithm: string }): scheme is KeyPairScheme {
  return algorithms.has(scheme.algorithm);
}

/**
 * Asserts that a value, such as one parsed from JSON, has the structure of a scheme with a key pair.
 * @throws SigningError `invalid-scheme`; the message names the first member that is missing, malformed, or of another
 * algorithm
 */
export function assertKeyPairScheme(value: unknown): asserts value is KeyPairScheme {
  const scheme = toObject(value, 'It');
  const { algorithm, format, saltLength } = scheme;
  demand(isKeyPairScheme({ algorithm: String(algorithm) }), 'algorithm');
  const isEcdsa = algorithm === 'ecdsa-p256-sha256';
  demand(isEcdsa ? format === 'raw' || format === 'der' : format === undefined, 'format');
  const isPss = algorithm === 'rsa-pss-sha256';
  demand(isPss ? isSaltLength(saltLength) : saltLength === undefined, 'saltLength');
  const key = toObject(scheme['key'], 'key');
  const { encoding } = key;
  const isBare = encoding === 'base64' || encoding === 'hex';
  demand(encoding === undefined || (isBare && algorithm === 'ed25519'), 'key.encoding');
  for (const name of ['prefix', 'privatePrefix'])
    demand(key[name] === undefined || (isBare && typeof key[name] === 'string'), `key.${name}`);
  demand(key['idHeader'] === undefined || isFieldName(key['idHeader']), 'key.idHeader');
  assertForm(scheme);
}

/** The maximum salt of a key with 2,048 bits: those of the key in bytes, without the hash and two bytes. */
const maximumSaltLength = 222;

function isSaltLength(value: unknown): boolean {
  return (
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maximumSaltLength
  );
}

/**
 * Creates the error for a key that cannot be used. Its text contains nothing of the key.
 * @param fault what is wrong, after "The key"
 */
function toKeyError(fault: string): SigningError {
  return new SigningError('malformed-key', `The key ${fault}.`, 'key');
}

/** An element of DER: its tag, and its content. */
interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The bytes after the element. */
  readonly rest: Uint8Array;
}

/** The tags of DER that keys and signatures have. */
const derTags = { integer: 0x02, bits: 0x03, octets: 0x04, sequence: 0x30 } as const;

/**
 * Reads the element at the start of some bytes. Returns `undefined` for another tag, and for a length that is not
 * written in the shortest form or exceeds the bytes.
 */
function readDer(bytes: Uint8Array, tag: number): DerElement | undefined {
  const [actualTag, first = 0x80] = bytes;
  const count = first < 0x80 ? 0 : first - 0x80;
  if (actualTag !== tag || first === 0x80 || count > 2) return undefined;
  let length = count === 0 ? first : 0;
  for (const byte of bytes.subarray(2, 2 + count)) length = 256 * length + byte;
  const start = 2 + count;
  if (count > 0 && length < (count === 1 ? 0x80 : 0x100)) return undefined;
  if (bytes.length < start + length) return undefined;
  const content = bytes.subarray(start, start + length);
  return { tag, content, rest: bytes.subarray(start + length) };
}

/**
 * Reads a positive INTEGER without its leading zero. Returns `undefined` for zero, a negative number, and a number that
 * is not written in the shortest form.
 */
function readDerInteger(
  bytes: Uint8Array,
): { readonly value: Uint8Array; readonly rest: Uint8Array } | undefined {
  const element = readDer(bytes, derTags.integer);
  if (element === undefined) return undefined;
  const { content, rest } = element;
  const [first = 0x80, second = 0] = content;
  if (first >= 0x80) return undefined;
  if (first > 0) return { value: content, rest };
  return second >= 0x80 ? { value: content.subarray(1), rest } : undefined;
}

/** Writes an element with less than 128 bytes. */
function writeDer(tag: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(tag, content.length, ...content);
}

/**
 * Converts an ECDSA signature over P-256 from strict DER to its two numbers with 32 bytes each. Returns `undefined` for
 * bytes that are not the only DER of two positive numbers.
 */
function toRawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const sequence = readDer(der, derTags.sequence);
  if (sequence === undefined || sequence.rest.length > 0) return undefined;
  const r = readDerInteger(sequence.content);
  const s = r && readDerInteger(r.rest);
  if (s === undefined || s.rest.length > 0) return undefined;
  if (r === undefined || r.value.length > 32 || s.value.length > 32) return undefined;
  const raw = new Uint8Array(64);
  raw.set(r.value, 32 - r.value.length);
  raw.set(s.value, 64 - s.value.length);
  return raw;
}

/** Converts the two numbers of an ECDSA signature to DER. */
export function toDerSignature(raw: Uint8Array): Uint8Array {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((bytes) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(start === -1 ? bytes.length - 1 : start);
    return writeDer(
      derTags.integer,
      (digits[0] ?? 0) < 0x80 ? digits : Uint8Array.of(0, ...digits),
    );
  });
  return writeDer(derTags.sequence, Uint8Array.from(numbers.flatMap((number) => [...number])));
}

/** Public keys by their ids, such as those at an address. */
export interface KeySet {
  /**
   * Returns the public keys with an id, in the order of their set; an empty array where there is none. Returns a promise
   * where it has to fetch them, which rejects with `keys-unavailable`.
   */
  readonly find: (id: string) => MaybePromise<readonly Jwk[]>;
}

/** What decides how bytes are signed. */
type KeyPairParameters = Pick<KeyPairScheme, 'algorithm' | 'saltLength'>;

/** A public key with the members that its algorithm needs, and no other. */
type PublicKeyData =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/** A private key, as PKCS #8 or as the members of a JWK. */
type PrivateKeyData =
  | { readonly pkcs8: Uint8Array<ArrayBuffer> }
  | { readonly jwk: Readonly<Record<string, string>> };

/**
 * Creates a function that signs. ECDSA signatures are the two numbers with 32 bytes each. With `node:crypto`, it returns
 * no promise.
 * @throws SigningError `malformed-key` for a key that cannot be imported. With WebCrypto, the first result rejects with it
 */
function createKeyPairSigner(
  parameters: KeyPairParameters,
  data: PrivateKeyData,
): (input: Uint8Array<ArrayBuffer>) => MaybePromise<Uint8Array> {
  const node = builtinModule('node:crypto');
  if (node !== undefined) {
    const key = importNow(() =>
      node.createPrivateKey(
        'jwk' in data
          ? { key: data.jwk, format: 'jwk' }
          : { key: data.pkcs8, format: 'der', type: 'pkcs8' },
      ),
    );
    const [hash, options] = toNodeOptions(node, parameters);
    const input = { ...options, key };
    return (bytes) => node.sign(hash, bytes, input);
  }
  const toKey = keyImporter(
    (algorithm) =>
      'jwk' in data
        ? crypto.subtle.importKey('jwk', data.jwk, algorithm, false, ['sign'])
        : crypto.subtle.importKey('pkcs8', data.pkcs8, algorithm, false, ['sign']),
    parameters,
  );
  return async (input) =>
    new Uint8Array(await crypto.subtle.sign(toOperation(parameters), await toKey(), input));
}

/**
 * Creates a function that verifies. ECDSA signatures are the two numbers with 32 bytes each. With `node:crypto`, it
 * returns no promise.
 * @throws SigningError `malformed-key` for a key that cannot be imported. With WebCrypto, the first result rejects with it
 */
export function createKeyPairMatcher(
  parameters: KeyPairParameters,
  data: PublicKeyData,
): (input: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => MaybePromise<boolean> {
  const node = builtinModule('node:crypto');
  if (node !== undefined) {
    const key = importNow(() => node.createPublicKey({ key: { ...data }, format: 'jwk' }));
    const [hash, options] = toNodeOptions(node, parameters);
    const input = { ...options, key };
    return (bytes, signature) => node.verify(hash, bytes, input, signature);
  }
  const toKey = keyImporter(
    (algorithm) => crypto.subtle.importKey('jwk', { ...data }, algorithm, false, ['verify']),
    parameters,
  );
  return async (input, signature) =>
    await crypto.subtle.verify(toOperation(parameters), await toKey(), signature, input);
}

function importNow<Key>(create: () => Key): Key {
  try {
    return create();
  } catch {
    // Without the cause, whose text could contain a part of the key.
    throw toKeyError('is not a key that this platform can import');
  }
}

/** Returns the hash and the options of `node:crypto`. Ed25519 hashes as a part of the algorithm. */
function toNodeOptions(
  { constants }: NodeModules['node:crypto'],
  { algorithm, saltLength = 0 }: KeyPairParameters,
): readonly [hash: string | null, options: object] {
  switch (algorithm) {
    case 'ed25519':
      return [null, {}];
    case 'ecdsa-p256-sha256':
      return ['sha256', { dsaEncoding: 'ieee-p1363' }];
    case 'rsa-pss-sha256':
      return ['sha256', { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }];
    default:
      return ['sha256', { padding: constants.RSA_PKCS1_PADDING }];
  }
}

/**
 * Returns a function that imports the key into WebCrypto on its first call. Some platforms forbid asynchronous work while
 * a module is loaded.
 */
function keyImporter(
  importKey: (algorithm: Algorithm) => Promise<WebKey>,
  parameters: KeyPairParameters,
): () => Promise<WebKey> {
  let imported: Promise<WebKey> | undefined;
  return () =>
    (imported ??= importKey(toImport(parameters)).catch((error: unknown) => {
      if ((error as Partial<Error>).name === 'NotSupportedError')
        throw new SigningError(
          'unsupported-platform',
          `This platform does not support ${parameters.algorithm} in WebCrypto.`,
        );
      // Without the cause, whose text could contain a part of the key.
      throw toKeyError('is not a key that this platform can import');
    }));
}

interface Algorithm {
  readonly name: string;
  readonly [member: string]: string | number;
}

function toImport({ algorithm }: KeyPairParameters): Algorithm {
  switch (algorithm) {
    case 'ed25519':
      return { name: 'Ed25519' };
    case 'ecdsa-p256-sha256':
      return { name: 'ECDSA', namedCurve: 'P-256' };
    case 'rsa-pss-sha256':
      return { name: 'RSA-PSS', hash: 'SHA-256' };
    default:
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  }
}

function toOperation({ algorithm, saltLength = 0 }: KeyPairParameters): Algorithm {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return { name: 'ECDSA', hash: 'SHA-256' };
    case 'rsa-pss-sha256':
      return { name: 'RSA-PSS', saltLength };
    default:
      return toImport({ algorithm });
  }
}

/** A key that has been read, with its id. */
interface ReadKey<Data> {
  readonly id: string | undefined;
  readonly data: Data;
}

/** The bounds of the modulus of an RSA key in bits. A longer one would make each verification slow. */
const modulusBits = { minimum: 2048, maximum: 8192 } as const;

/** Public exponents have at most 32 bits. Usual are 3 and 65,537. */
const maximumExponentBytes = 4;

const kinds = {
  ed25519: 'an Ed25519 key',
  'ecdsa-p256-sha256': 'an EC key on the curve P-256',
  'rsa-pss-sha256': 'an RSA key',
  'rsa-v1_5-sha256': 'an RSA key',
} as const satisfies Readonly<Record<KeyPairAlgorithm, string>>;

/** The values of `alg` in a JWK (RFC 7518, RFC 8037, RFC 9864). */
const jwkAlgorithms: Readonly<Record<KeyPairAlgorithm, readonly string[]>> = {
  ed25519: ['EdDSA', 'Ed25519'],
  'ecdsa-p256-sha256': ['ES256'],
  'rsa-pss-sha256': ['PS256'],
  'rsa-v1_5-sha256': ['RS256'],
};

/** The content of `AlgorithmIdentifier` in hexadecimal: its OID and parameters (RFC 8410, RFC 5480, RFC 3279). */
const identifiers: Readonly<Record<KeyPairAlgorithm, string>> = {
  ed25519: '06032b6570',
  'ecdsa-p256-sha256': '06072a8648ce3d020106082a8648ce3d030107',
  'rsa-pss-sha256': '06092a864886f70d0101010500',
  'rsa-v1_5-sha256': '06092a864886f70d0101010500',
};

/** The members of a JWK that only private and symmetric keys have. */
export const secretMembers: readonly string[] = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/**
 * Reads a public key.
 * @throws SigningError `missing-key` for an empty key, `malformed-key` for a private key, one of another algorithm, and
 * an RSA key with less than 2,048 bits
 */
function readPublicKey(
  publicKey: KeyMaterial | IdentifiedKey,
  scheme: KeyPairScheme,
): ReadKey<PublicKeyData> {
  const { algorithm, key } = scheme;
  const { id, material } = toMaterial(publicKey, key.encoding, key.prefix);
  if (material instanceof Uint8Array) {
    assertEd25519(material.length === 32, algorithm, '32 bytes');
    return { id, data: { kty: 'OKP', crv: 'Ed25519', x: toText(material) } };
  }
  if ('label' in material) {
    if (material.label !== 'PUBLIC KEY')
      throw toKeyError(
        /PRIVATE/.test(material.label)
          ? 'is a private key, which only the sender may have. Pass the public key'
          : `is a PEM text of the type ${knownLabel(material.label)}; only \`PUBLIC KEY\` is read. \`openssl pkey -pubin -in <file> -pubout\` or \`openssl x509 -in <file> -noout -pubkey\` writes it`,
      );
    return { id, data: fromSpki(material.der, algorithm) };
  }
  const { jwk } = material;
  if (secretMembers.some((member) => jwk[member] !== undefined))
    throw toKeyError('is a private or symmetric key. Pass the public key');
  return { id: id ?? idOf(jwk), data: fromPublicJwk(jwk, algorithm) };
}

/**
 * Reads a private key.
 * @throws SigningError `missing-key` for an empty key, `malformed-key` for a public key, one of another algorithm, and
 * an RSA key with less than 2,048 bits
 */
function readPrivateKey(
  privateKey: KeyMaterial | IdentifiedKey,
  scheme: KeyPairScheme,
): ReadKey<PrivateKeyData> {
  const { algorithm, key } = scheme;
  const { id, material } = toMaterial(privateKey, key.encoding, key.privatePrefix);
  if (material instanceof Uint8Array) {
    // Libraries also write the private key with the public key after it.
    const isSeed = material.length === 32 || material.length === 64;
    assertEd25519(isSeed, algorithm, '32 or 64 bytes');
    const pkcs8 = Uint8Array.of(...ed25519Pkcs8, ...material.subarray(0, 32));
    return { id, data: { pkcs8 } };
  }
  if ('label' in material) {
    if (material.label !== 'PRIVATE KEY')
      throw toKeyError(
        material.label === 'PUBLIC KEY'
          ? 'is a public key, which signs nothing. Pass the private key'
          : `is a PEM text of the type ${knownLabel(material.label)}; only an unencrypted \`PRIVATE KEY\` is read. \`openssl pkcs8 -topk8 -nocrypt -in <file>\` writes it`,
      );
    assertPkcs8(material.der, algorithm);
    return { id, data: { pkcs8: material.der } };
  }
  const { jwk } = material;
  if (typeof jwk['d'] !== 'string')
    throw toKeyError('is a public key, which signs nothing. Pass the private key');
  const jwkData: Record<string, string> = { ...fromPublicJwk(jwk, algorithm) };
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) {
    const value = jwk[member];
    if (typeof value === 'string') jwkData[member] = value;
  }
  return { id: id ?? idOf(jwk), data: { jwk: jwkData } };
}

/** What comes before the 32 bytes of a private key (RFC 8410, section 7). */
const ed25519Pkcs8 = [
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
] as const;

type Material =
  | Uint8Array
  | { readonly label: string; readonly der: Uint8Array<ArrayBuffer> }
  | { readonly jwk: Jwk };

/** Separates the id from a key, and detects how it is written. */
function toMaterial(
  keyInput: KeyMaterial | IdentifiedKey,
  encoding: 'base64' | 'hex' | undefined,
  prefix = '',
): { readonly id: string | undefined; readonly material: Material } {
  const identified = isIdentified(keyInput);
  const id = identified ? keyInput.id : undefined;
  const key: unknown = identified ? keyInput.key : keyInput;
  if (identified && (typeof keyInput.id !== 'string' || keyInput.id === ''))
    throw toKeyError('has an id that is not a text');
  if (key instanceof Uint8Array) return { id, material: key };
  if (typeof key === 'object' && key !== null) return { id, material: { jwk: key as Jwk } };
  const fault = faultOfSecret(key);
  if (fault === 'blank' || fault === 'unset') throw explain('missing-key');
  // Files in PEM, and many with a JWK, end with a line break.
  const text = (key as string).trim();
  if (text.startsWith('-----')) return { id, material: fromPem(text) };
  if (text.startsWith('{')) return { id, material: { jwk: parseJwk(text) } };
  if (encoding === undefined) throw toKeyError('is neither PEM nor a JWK');
  if (fault !== undefined) throw explain('malformed-key', fault);
  const bytes = decodeBytes(text.startsWith(prefix) ? text.slice(prefix.length) : text, encoding);
  if (bytes === undefined) throw toKeyError(`is not ${encoding}`);
  return { id, material: bytes };
}

function isIdentified(value: unknown): value is IdentifiedKey {
  return typeof value === 'object' && value !== null && 'key' in value && 'id' in value;
}

/** Reads one block of PEM (RFC 7468). Environment variables often have `\n` in the place of line breaks. */
function fromPem(text: string): Material {
  const plain = text.replaceAll(String.raw`\n`, '\n').trim();
  const [, label = '', body = '', end] =
    /^-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]+)-----END ([A-Z0-9 ]+)-----$/.exec(plain) ?? [];
  const der = decodeBytes(body.replaceAll(/\s/g, ''), 'base64');
  if (label === '' || label !== end || der === undefined || der.length === 0)
    throw toKeyError('is not one complete block of PEM');
  return { label, der };
}

/** Returns the type of a PEM text for a message. It is text of a file, so that only known types are repeated. */
function knownLabel(label: string): string {
  const labels = ['RSA PUBLIC KEY', 'CERTIFICATE', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'];
  labels.push('ENCRYPTED PRIVATE KEY', 'PRIVATE KEY', 'PUBLIC KEY');
  return labels.includes(label) ? `\`${label}\`` : 'that this package does not know';
}

function parseJwk(text: string): Jwk {
  try {
    return JSON.parse(text) as Jwk;
  } catch {
    throw toKeyError('is not valid JSON');
  }
}

function idOf({ kid }: Jwk): string | undefined {
  return typeof kid === 'string' && kid !== '' ? kid : undefined;
}

/** Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1). */
function fromSpki(der: Uint8Array, algorithm: KeyPairAlgorithm): PublicKeyData {
  const all = readDer(der, derTags.sequence);
  const identifier = all && readDer(all.content, derTags.sequence);
  if (all === undefined || identifier === undefined || all.rest.length > 0)
    throw toKeyError('is not DER');
  assertIdentifier(identifier.content, algorithm);
  const bits = readDer(identifier.rest, derTags.bits);
  if (bits === undefined || bits.rest.length > 0 || bits.content[0] !== 0)
    throw toKeyError('is not DER');
  const key = bits.content.subarray(1);
  switch (algorithm) {
    case 'ed25519':
      if (key.length !== 32) throw toKeyError('does not have 32 bytes');
      return { kty: 'OKP', crv: 'Ed25519', x: toText(key) };
    case 'ecdsa-p256-sha256':
      if (key.length !== 65 || key[0] !== 4)
        throw toKeyError('is not an uncompressed point of 65 bytes');
      return {
        kty: 'EC',
        crv: 'P-256',
        x: toText(key.subarray(1, 33)),
        y: toText(key.subarray(33)),
      };
    default: {
      const numbers = readDer(key, derTags.sequence);
      const modulus = numbers && readDerInteger(numbers.content);
      const exponent = modulus && readDerInteger(modulus.rest);
      if (modulus === undefined || exponent === undefined || exponent.rest.length > 0)
        throw toKeyError('is not DER');
      return toRsa(modulus.value, exponent.value);
    }
  }
}

/** Checks the algorithm of a PrivateKeyInfo (RFC 5958), and the length of an RSA key. */
function assertPkcs8(der: Uint8Array, algorithm: KeyPairAlgorithm): void {
  const all = readDer(der, derTags.sequence);
  const version = all && readDer(all.content, derTags.integer);
  const identifier = version && readDer(version.rest, derTags.sequence);
  if (identifier === undefined || all === undefined || all.rest.length > 0)
    throw toKeyError('is not DER');
  assertIdentifier(identifier.content, algorithm);
  if (!algorithm.startsWith('rsa')) return;
  const octets = readDer(identifier.rest, derTags.octets);
  const numbers = octets && readDer(octets.content, derTags.sequence);
  const first = numbers && readDer(numbers.content, derTags.integer);
  const modulus = first && readDerInteger(first.rest);
  const exponent = modulus && readDerInteger(modulus.rest);
  if (modulus === undefined || exponent === undefined) throw toKeyError('is not DER');
  toRsa(modulus.value, exponent.value);
}

function assertIdentifier(content: Uint8Array, algorithm: KeyPairAlgorithm): void {
  if (encodeBytes(content, 'hex') !== identifiers[algorithm])
    throw toKeyError(`is not ${kinds[algorithm]}, which ${algorithm} requires`);
}

/**
 * Reads a public JWK, without the members that its algorithm does not need.
 * @throws SigningError `malformed-key` for a key of another algorithm or use
 */
function fromPublicJwk(jwk: Jwk, algorithm: KeyPairAlgorithm): PublicKeyData {
  const { kty, crv, alg, use, key_ops: uses } = jwk;
  const wrongUse =
    (use !== undefined && use !== 'sig') ||
    (Array.isArray(uses) && !uses.includes('verify') && !uses.includes('sign'));
  if (wrongUse) throw toKeyError('is not for signatures, as its `use` or `key_ops` states');
  if (alg !== undefined && !jwkAlgorithms[algorithm].includes(alg as string))
    throw toKeyError(`is for another algorithm than ${algorithm}, as its \`alg\` states`);
  switch (algorithm) {
    case 'ed25519':
      if (kty === 'OKP' && crv === 'Ed25519')
        return { kty, crv, x: toText(coordinate(jwk, 'x', 32)) };
      break;
    case 'ecdsa-p256-sha256':
      if (kty === 'EC' && crv === 'P-256')
        return {
          kty,
          crv,
          x: toText(coordinate(jwk, 'x', 32)),
          y: toText(coordinate(jwk, 'y', 32)),
        };
      break;
    default:
      if (kty === 'RSA') return toRsa(coordinate(jwk, 'n'), coordinate(jwk, 'e'));
  }
  throw toKeyError(`is not ${kinds[algorithm]}, which ${algorithm} requires`);
}

/** Returns whether a public key can verify the signatures of one of the algorithms. */
export function canVerify(jwk: Jwk): boolean {
  return (Object.keys(jwkAlgorithms) as KeyPairAlgorithm[]).some((algorithm) => {
    try {
      fromPublicJwk(jwk, algorithm);
      return true;
    } catch {
      return false;
    }
  });
}

function coordinate(jwk: Jwk, member: string, length?: number): Uint8Array {
  const text = jwk[member];
  const bytes = typeof text === 'string' ? decodeBytes(text, 'base64url') : undefined;
  if (bytes === undefined || (length !== undefined && bytes.length !== length))
    throw toKeyError(`has a \`${member}\` that is missing or malformed`);
  return bytes;
}

function toRsa(n: Uint8Array, e: Uint8Array): PublicKeyData {
  const [modulus, exponent] = [withoutZeros(n), withoutZeros(e)];
  const bits = 8 * modulus.length - Math.clz32(modulus[0] ?? 0) + 24;
  if (bits < modulusBits.minimum || bits > modulusBits.maximum)
    throw toKeyError(
      `has ${bits} bits. RSA keys must have from ${modulusBits.minimum} to ${modulusBits.maximum}`,
    );
  const isOdd = ((exponent.at(-1) ?? 0) & 1) === 1;
  const isOne = exponent.length === 1 && exponent[0] === 1;
  if (!isOdd || isOne || exponent.length > maximumExponentBytes)
    throw toKeyError('has a public exponent that is not odd, above 1 and below 2^32');
  return { kty: 'RSA', n: toText(modulus), e: toText(exponent) };
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? new Uint8Array() : bytes.subarray(start);
}

function assertEd25519(hasLength: boolean, algorithm: KeyPairAlgorithm, length: string): void {
  if (algorithm !== 'ed25519') throw toKeyError('is neither PEM nor a JWK');
  if (!hasLength) throw toKeyError(`does not have ${length}`);
}

function toText(bytes: Uint8Array): string {
  return encodeBytes(bytes, 'base64url');
}

const placeholder = '{keyId}';

/** The maximum length of the id of a key in characters. */
const maximumLength = 256;

/** Returns the id of the key that a request names, `undefined` where it names none, or a refusal. */
type KeyIdReader = (request: SignableRequest) => string | undefined | Refusal;

/** Returns whether requests name their key. */
export function namesKeys({ key, value }: KeyPairScheme): boolean {
  return key.idHeader !== undefined || value.includes(placeholder);
}

/** Returns whether a text can be the id of a key in a header: visible ASCII, of limited length. */
function isKeyId(text: string): boolean {
  return text.length <= maximumLength && /^[!-~]+$/.test(text);
}

/**
 * Checks how a scheme carries the id of the key.
 * @throws SigningError `invalid-scheme`
 */
function checkKeyId(scheme: KeyPairScheme): void {
  const { key, value, header, timestamp } = scheme;
  if (!namesKeys(scheme)) return;
  if (key.idHeader === undefined) {
    const items = toValueItems(asTimestamp(scheme));
    const ids = items.filter(([, name]) => name === 'timestamp').length;
    if (value.split(placeholder).length > 2 || ids !== 1 || items.some(({ length }) => length > 3))
      throw invalid(
        `The template \`${value}\` of the signature header must contain {keyId} at most once, with \`separator\` between it and the other placeholders.`,
      );
    return;
  }
  if (value.includes(placeholder))
    throw invalid('The id of its key must be sent either in a header of its own or in `value`.');
  const name = key.idHeader.toLowerCase();
  if (
    !fieldName.test(name) ||
    name === header.toLowerCase() ||
    name === timestamp?.header?.toLowerCase()
  )
    throw invalid('The id of its key must be sent in a header of its own.');
}

/** Returns the scheme whose signature header has the id of a key. */
export function withKeyId(scheme: KeyPairScheme, id: string): KeyPairScheme {
  return { ...scheme, value: scheme.value.replace(placeholder, () => id) };
}

/** Compiles the function that reads the id of the key. */
function compileKeyIdReader(scheme: KeyPairScheme): KeyIdReader {
  if (!namesKeys(scheme)) return () => undefined;
  const header = (scheme.key.idHeader ?? scheme.header).toLowerCase();
  const read =
    scheme.key.idHeader === undefined
      ? compileValueReader(asTimestamp(scheme))
      : (timestamp: string) => ({ timestamp });
  return (request) => {
    const value = readHeader(request, header);
    if (typeof value === 'object') return value;
    if (value === '') return undefined;
    const items = read(value);
    if (items === undefined) return refuse('malformed-signature');
    const id = items.timestamp;
    return id === undefined || isKeyId(id) ? id : refuse('unknown-key');
  };
}

/**
 * Returns the scheme whose timestamp is the id of the key: a value of the signature header has one id as it has one
 * timestamp.
 */
function asTimestamp(scheme: KeyPairScheme): KeyPairScheme {
  const value = scheme.value.replace('{timestamp}', '{time}').replace(placeholder, '{timestamp}');
  return { ...scheme, value };
}

/** A private key, with its id where the scheme requires one. */
export type PrivateKey = KeyMaterial | IdentifiedKey;

/** A public key, with its id where it has one. */
export type PublicKey = KeyMaterial | IdentifiedKey;

/** The options of a signer with a private key. */
export interface KeyPairSignerOptions {
  readonly key: PrivateKey;
  /** Returns milliseconds since 1970, between 2001 and 2286. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** The options of a verifier with public keys. */
export interface KeyPairVerifierOptions extends Omit<VerifierOptions, 'keys'> {
  /**
   * The accepted keys, at least one; several during a key rotation. A key with an id is used only for requests that name
   * it, if the scheme states how requests do so. Or the keys at an address (`createKeySet` of the entry `jwks`), for a
   * scheme whose requests name their key.
   */
  readonly keys: readonly PublicKey[] | KeySet;
}

/**
 * Creates a signer. It does not expose its key when it is printed or serialized.
 * @throws SigningError for a scheme or key that is not valid, such as an RSA key with less than 2,048 bits
 */
export function createSigner(scheme: KeyPairScheme, options: KeyPairSignerOptions): Signer {
  checkKeyPairScheme(scheme);
  const { id, data } = readPrivateKey(options.key, scheme);
  if (namesKeys(scheme) && (id === undefined || !isKeyId(id))) throw explain('missing-key-id');
  const { encoding, format } = scheme;
  const signBytes = createKeyPairSigner(scheme, data);
  const toText = (signature: Uint8Array): string =>
    encodeBytes(format === 'der' ? toDerSignature(signature) : signature, encoding);
  const signInput = (pieces: readonly Piece[]): MaybePromise<string> => {
    const signature = signBytes(join(pieces));
    return signature instanceof Promise ? signature.then(toText) : toText(signature);
  };
  const identified = id === undefined ? scheme : withKeyId(scheme, id);
  const signer = createSignerOf(identified, options, checkedCore, signInput);
  const { idHeader } = scheme.key;
  const added = idHeader === undefined || id === undefined ? {} : { [idHeader]: id };
  const ownId = idHeader?.toLowerCase();
  return Object.freeze<Signer>({
    sign(request) {
      const headers = signer.sign({
        ...request,
        headers: (name) => (name === ownId && id !== undefined ? [id] : request.headers(name)),
      });
      return headers instanceof Promise
        ? headers.then((signed) => ({ ...added, ...signed }))
        : { ...added, ...headers };
    },
  });
}

/**
 * Creates a verifier. Its `verify` does not throw for any content of a request. It rejects with `keys-unavailable` if
 * the keys at an address cannot be fetched, or none with the id of the request can verify it: the request can then be
 * authentic, and has to be sent again.
 * @throws SigningError for a scheme, key or tolerance that is not valid, such as an RSA key with less than 2,048 bits
 */
export function createVerifier(scheme: KeyPairScheme, options: KeyPairVerifierOptions): Verifier {
  checkKeyPairScheme(scheme);
  const { keys } = options;
  const candidatesOf = isKeySet(keys) ? fetched(scheme, keys) : configured(scheme, keys);
  const toId = compileKeyIdReader(scheme);
  const toSignature = signatureReader(scheme);
  return createVerifierOf(
    scheme,
    options,
    (input, texts, instant, request) => {
      const signatures = texts.flatMap((text) => toSignature(text) ?? []);
      if (signatures.length === 0) return refuse('malformed-signature');
      const id = toId(request);
      if (typeof id === 'object') return id;
      if (isKeySet(keys) && id === undefined)
        return refuse(scheme.key.idHeader === undefined ? 'malformed-signature' : 'missing-header');
      if ('reason' in input) return input;
      const bytes = join(input);
      const match = (candidates: readonly Candidate[]): MaybePromise<Verification> => {
        if (candidates.length === 0) return refuse('unknown-key');
        const pairs = candidates.flatMap((candidate) =>
          signatures.map((signature) => ({ ...candidate, signature })),
        );
        const attempt = (index: number): MaybePromise<Verification> => {
          const pair = pairs[index];
          if (pair === undefined) return refuse('signature-mismatch');
          const { key, matches, signature } = pair;
          const authentic: Verification = {
            ok: true,
            key,
            ...(id === undefined ? {} : { keyId: id }),
            ...(instant === undefined ? {} : { timestamp: instant }),
          };
          const result = matches(bytes, signature);
          if (typeof result === 'boolean') return result ? authentic : attempt(index + 1);
          return result.then((isMatch) => (isMatch ? authentic : attempt(index + 1)));
        };
        return attempt(0);
      };
      const candidates = candidatesOf(id);
      return candidates instanceof Promise ? candidates.then(match) : match(candidates);
    },
    checkedCore,
  );
}

/**
 * Checks that a scheme has the structure of one with a key pair and does not contradict itself.
 * @throws SigningError `invalid-scheme`
 */
export function checkKeyPairScheme(scheme: KeyPairScheme): void {
  assertKeyPairScheme(scheme);
  checkForm(scheme);
  checkKeyId(scheme);
}

/** A key that could have signed a request. */
interface Candidate {
  /** The index of the key. */
  readonly key: number;
  readonly matches: ReturnType<typeof createKeyPairMatcher>;
}

type CandidatesOf = (id: string | undefined) => MaybePromise<readonly Candidate[]>;

function isKeySet(keys: KeyPairVerifierOptions['keys']): keys is KeySet {
  return !Array.isArray(keys) && typeof (keys as Partial<KeySet> | undefined)?.find === 'function';
}

function configured(scheme: KeyPairScheme, keys: readonly PublicKey[]): CandidatesOf {
  if (!Array.isArray(keys) || keys.length === 0) throw explain('missing-key', 'keys');
  const all = keys.map((publicKey, key) => {
    const { id, data } = readPublicKey(publicKey, scheme);
    return { id, key, matches: createKeyPairMatcher(scheme, data) };
  });
  if (!namesKeys(scheme)) return () => all;
  return (id) => all.filter((candidate) => candidate.id === undefined || candidate.id === id);
}

/**
 * Keys at an address that have another algorithm, or cannot be imported, are ignored: others with the id may be valid. If
 * there is no other, the request is not refused: the sender has published its key wrongly, or not yet.
 */
function fetched(scheme: KeyPairScheme, keys: KeySet): CandidatesOf {
  if (!namesKeys(scheme))
    throw new SigningError(
      'invalid-scheme',
      'The signature scheme is invalid. Keys at an address require `key.idHeader`, or {keyId} in `value`.',
      'key.idHeader',
    );
  const cache = new WeakMap<Jwk, Candidate['matches'] | 'unusable'>();
  const toMatcher = (jwk: Jwk): Candidate['matches'] | 'unusable' => {
    const cachedMatcher = cache.get(jwk);
    if (cachedMatcher !== undefined) return cachedMatcher;
    let matcher: Candidate['matches'] | 'unusable' = 'unusable';
    try {
      const matches = createKeyPairMatcher(scheme, fromPublicJwk(jwk, scheme.algorithm));
      matcher = (input, signature) => {
        const result = matches(input, signature);
        return typeof result === 'boolean' ? result : result.catch(toMismatch);
      };
    } catch (error) {
      toMismatch(error);
    }
    cache.set(jwk, matcher);
    return matcher;
  };
  const toCandidates = (jwks: readonly Jwk[]): MaybePromise<readonly Candidate[]> => {
    const candidates = jwks.flatMap((jwk, key) => {
      const matches = toMatcher(jwk);
      return matches === 'unusable' ? [] : [{ key, matches }];
    });
    return jwks.length > 0 && candidates.length === 0
      ? Promise.reject(toUnusable(scheme.algorithm))
      : candidates;
  };
  return (id = '') => {
    const jwks = keys.find(id);
    return jwks instanceof Promise ? jwks.then(toCandidates) : toCandidates(jwks);
  };
}

function toUnusable(algorithm: KeyPairAlgorithm): SigningError {
  return new SigningError(
    'keys-unavailable',
    `No key at the address with the id that the request names can verify signatures with ${algorithm} (unusable-key).`,
    'unusable-key',
  );
}

/** Returns that a key that cannot be imported matches nothing. Throws every other error. */
function toMismatch(error: unknown): false {
  if ((error as Partial<SigningError>).code === 'malformed-key') return false;
  throw error;
}

/** Returns the function that decodes a signature; ECDSA signatures become the two numbers with 32 bytes each. */
function signatureReader({
  algorithm,
  encoding,
  format,
}: KeyPairScheme): (text: string) => Uint8Array<ArrayBuffer> | undefined {
  const isRsa = algorithm.startsWith('rsa');
  return (text) => {
    const bytes = decodeBytes(text, encoding);
    if (bytes === undefined) return undefined;
    if (format === 'der') return toRawSignature(bytes);
    const isLong = isRsa ? bytes.length >= 256 && bytes.length <= 1024 : bytes.length === 64;
    return isLong ? bytes : undefined;
  };
}

/** Copies the pieces into one array, so that later changes to the body have no effect. */
function join(pieces: Extract<SignedInput, readonly unknown[]>): Uint8Array<ArrayBuffer> {
  const chunks = pieces.map((piece) =>
    typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
  );
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
