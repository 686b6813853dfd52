import { derTags, readDer, readDerInteger } from './der.ts';
import { decodeBytes, encodeBytes } from './encoding.ts';
import { explain } from './explain.ts';
import { toKeyError } from './key-error.ts';
import type { PrivateKeyData, PublicKeyData } from './key-pair.ts';
import type {
  IdentifiedKey,
  Jwk,
  KeyMaterial,
  KeyPairAlgorithm,
  KeyPairScheme,
} from './key-pair-scheme.ts';
import { faultOfSecret } from '../base/secret-fault.ts';

/** A key that has been read, with its id. */
export interface ReadKey<Data> {
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
export function readPublicKey(
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
export function readPrivateKey(
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
export function fromPublicJwk(jwk: Jwk, algorithm: KeyPairAlgorithm): PublicKeyData {
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
