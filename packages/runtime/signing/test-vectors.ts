/** Signed requests, and requests that a verifier has to refuse, for the tests of a scheme. */

import { checkedCore, createSigner as createHmacSigner } from './checked.ts';
import {
  type SignableRequest,
  type SignatureHeaders,
  type SignatureScheme,
  type Signer,
  SigningError,
  type VerificationFailure,
  compileSignedInput,
  compileValueReader,
  decodeBytes,
  encodeBytes,
  timestampPatterns,
  toParts,
  writeSignatureValue,
  writeTimestamp,
} from './core.ts';
import {
  type KeyPairAlgorithm,
  type KeyPairScheme,
  createSigner as createKeyPairSigner,
  isKeyPairScheme,
  namesKeys,
  withKeyId,
} from './key-pairs.ts';

/** A key pair for tests only. Its private key is public. */
export interface TestKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

const p256: TestKeyPair = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTvniKmse/7nA8P9x
RRQ7Xy4cKYhBgqDFYP+zWx7MtQKhRANCAATSSwlmYoRqzTrGkevCmsHjILLIGa2d
Q9ZZwm3NCLRiHZ6LY5T1ddM293csgu8JFBwK2wZTm9Y3LBjVIg2A3s7K
-----END PRIVATE KEY-----
`,
  publicKey: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0ksJZmKEas06xpHrwprB4yCyyBmt
nUPWWcJtzQi0Yh2ei2OU9XXTNvd3LILvCRQcCtsGU5vWNywY1SINgN7Oyg==
-----END PUBLIC KEY-----
`,
};

const rsa: TestKeyPair = {
  privateKey: `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDGuvlXUJWBNf9l
kSPOmTIYmjVm6adB5jiJIPMSVIK4Ph1ZsP24gClb0u2QC+IuktLXsrDhWxK6gPJG
wdOUramg2X+M59Vj7lW0Y8gX7pOOyD18md/xKI94pR4Jo5TJNRf+XSt1VGwr1/QM
W81PTnfyQvMWvAnGbhcVma5fNpdCYlqWiCJn9r+0fnj3/fmK5JTyWzHYpUv9WwXP
SD6kTV9jVtnoEdZ2hjCKmHQmx3yM5AgZzo/z88GGU3uqtCA213HWo2+JEbdEqxA+
plx7FcvP6hUWsiwBYZaZUVaQUC56mURrkcZ4fgl/DzD7htZvumoNOr8Hr14mnu3T
BTLYyLz1AgMBAAECggEACYqPjxgg3W/Ev9EcmX40cAbzWmoMbDcL7tWEphQlpIfi
69v6CoIoui5h1oEjjl3hPpbnNCKlvwuS1j/XEzPVSZI3tAGrdp1KQxtpT3DWZ8wI
W7Odk1wBq2auDwNqEND6Qm2huQPhH6fCIVfE/zJCwwBg4G4NwBeoBxL2Ur7xuy+c
24xLE2c/LRuBPEyNVFNXf78cDdGHpyEHxdmbQMIxLH+rIWQwsTVbsfvC1qlK/peF
IutePXYS2IdN2txjNOOdynwY22n2DlKOh553uGbT8UCBSogh7vdAEOrbtm8tjGHN
UkMkoovVnQ+OoaR0iGRaVkHz44TngBykARn7QbqcfwKBgQD/UxfqchEZs5DrOZoB
MuDRFTWFfaG3ZWn1BYjAMzbEn3Sy59q8IRkMDM8bpOsJ2T9Fd+rJJHDVdouuhTw3
KCWOik1w7yHfktdLhixvyb8ZGI+7S72Bs1oyJNzkeTsx1uYIk2apCCRDKMUjhT24
McXMHLEWMOuVgtvM/sDoF4od0wKBgQDHQY4G7MyVQVm8Io/vUqGJcKT6Q4jkO3X5
u3A9m86QyHPRPgXfhLu0JU+QXg1Kzcy68uItVqAQlYZGcOkJS1KZsxpezxR1BbNR
VmWOkc7CAWUgolz4zzbIOsbP9MHButGQiQH+6dLypXBbjTjfXOwjCTT+Bn/YqpXC
rPiOogNVFwKBgQCPgEI20Hlv+o5+xlcaSWA14ze7mUqk6ujMf5nGfIJRrFVIoCs+
BVQwg5p7rQs089ct0iIxfru0HfaP1e5sCbJiFLVFvgFJyRwcJIMhKUCweC+AUydl
mEofWLyV5NUyQ9fyBfZzFlJbNLToK+Duf3ruJ0oYcNJXq76hzqTZTTGhZQKBgCVk
tQ2xpNch04BOECr+m9gaLqvUvrzuN76tIWw+cC6Vn76V4C5JT5yIH/1c2Su/oXs4
F6AgkJtsJC3WBLW8z/yOMxW10QYBEtzh1N9Dl8Sq1FqifcYnxQUgmqzuJup/b9Kr
E5fOM8tbptFXmGO6oYoVsT824wk7Qi2tnlvOJcfzAoGBAMwyjFlZoadB785UB/sp
Y3LsTiuahNaQgsz+ULIEPLUj/CpJgRRqrFbHBJuuRfNtIyq0X/yElGOg2mFRiVPh
pFlT0d76zCHv00tmOSmZwZS9/0dSMjE5BVN7sAVm6VDGYImB300bZyZPRcGlLJHv
/ishm2FO5NOiD5W1jmUDvwXp
-----END PRIVATE KEY-----
`,
  publicKey: `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxrr5V1CVgTX/ZZEjzpky
GJo1ZumnQeY4iSDzElSCuD4dWbD9uIApW9LtkAviLpLS17Kw4VsSuoDyRsHTlK2p
oNl/jOfVY+5VtGPIF+6Tjsg9fJnf8SiPeKUeCaOUyTUX/l0rdVRsK9f0DFvNT053
8kLzFrwJxm4XFZmuXzaXQmJalogiZ/a/tH549/35iuSU8lsx2KVL/VsFz0g+pE1f
Y1bZ6BHWdoYwiph0Jsd8jOQIGc6P8/PBhlN7qrQgNtdx1qNviRG3RKsQPqZcexXL
z+oVFrIsAWGWmVFWkFAueplEa5HGeH4Jfw8w+4bWb7pqDTq/B69eJp7t0wUy2Mi8
9QIDAQAB
-----END PUBLIC KEY-----
`,
};

/** The bytes of the Ed25519 key. Those of the private key are a text that states what it is for. */
const ed25519TestBytes: TestKeyPair = {
  privateKey: '61206b657920666f7220746573747320616e64206e6f7468696e6720656c7365',
  publicKey: '8569e4459196b6b2a214c256f6992944a1608f6daf851a82d2d935ae8be4d0b9',
};

/** The key pairs of test vectors, in PEM. They are the same in each run, so that the vectors are too. */
export const testKeyPairs: Readonly<Record<KeyPairAlgorithm, TestKeyPair>> = {
  ed25519: {
    privateKey: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIGEga2V5IGZvciB0ZXN0cyBhbmQgbm90aGluZyBlbHNl
-----END PRIVATE KEY-----
`,
    publicKey: `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAhWnkRZGWtrKiFMJW9pkpRKFgj22vhRqC0tk1rovk0Lk=
-----END PUBLIC KEY-----
`,
  },
  'ecdsa-p256-sha256': p256,
  'rsa-pss-sha256': rsa,
  'rsa-v1_5-sha256': rsa,
};

/** A request of a test vector, as plain JSON. */
export interface VectorRequest {
  readonly method: string;
  readonly url: string;
  /** All headers that a verifier reads, by their names in the scheme. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's bytes in Base64. */
  readonly body: string;
}

/** A request with its signed bytes. */
export interface TestVector {
  readonly name: string;
  readonly request: VectorRequest;
  /** The bytes that are signed, in Base64. */
  readonly input: string;
}

/** A request that a verifier must refuse, with the reason. */
export interface RefusedVector {
  readonly name: string;
  readonly request: VectorRequest;
  readonly reason: VerificationFailure;
}

/** Test data for an implementation of a scheme in any language, as plain JSON. */
export interface TestVectors {
  readonly scheme: SignatureScheme | KeyPairScheme;
  /** A key for tests only, in the scheme's encoding. For a scheme with a key pair, the private key. */
  readonly key: string;
  /** For a scheme with a key pair, the public key. */
  readonly publicKey?: string;
  /** The id of the key, for a scheme whose requests name it. */
  readonly keyId?: string;
  /**
   * Whether each signature of the same bytes differs, as those of ECDSA and RSA-PSS do: verify the signature of a signer,
   * instead of comparing it with that of a vector.
   */
  readonly isRandomized?: boolean;
  /** The time of the clock, in milliseconds since 1970. */
  readonly clock: number;
  /** Signed requests. A signer must produce the same headers, and a verifier must accept them. */
  readonly authentic: readonly TestVector[];
  /** Requests that are not authentic. A verifier must refuse each for the given reason. */
  readonly refused: readonly RefusedVector[];
  /** Requests whose signed bytes other requests share. They can be neither signed nor verified. */
  readonly ambiguous: readonly Omit<RefusedVector, 'reason'>[];
}

/** The options of `createTestVectors`. */
export interface TestVectorOptions {
  /** The method of every request. Default: `POST`. */
  readonly method?: string;
  /** The URL of every request. Default: `https://example.com/v1/things`. */
  readonly url?: string;
  /** The time of the clock, in milliseconds since 1970. Default: 1,767,225,600,000 (2026-01-01T00:00:00Z). */
  readonly clock?: number;
}

const bodies: Readonly<Record<string, string | Uint8Array>> = {
  'no body': '',
  'a JSON object': '{"id":"evt_1","amount":19.99}',
  'the same JSON with a space more': '{"id": "evt_1","amount":19.99}',
  'JSON beyond ASCII': '{"name":"São João ☃ 😀","note":"a\\u00e9\\/b"}',
  'JSON that ends a line': '[1,2,{"three":[]}]\n',
  'form text': 'name=S%C3%A3o+Jo%C3%A3o&path=%2Fa%2Fb&empty=',
  'text with a slash': 'a/b',
  'every byte': Uint8Array.from({ length: 256 }, (_, byte) => byte),
};

/** The id of the key of test vectors. */
const testKeyId = 'test-key';

/** Creates signers with the key of test vectors. */
type CreateTestSigner = (clock: () => number) => Signer;

/**
 * Creates test vectors of a scheme. The same arguments always give the same vectors, except for the signatures of
 * randomized algorithms.
 * @throws SigningError for a scheme that is not valid, or a request that cannot be signed
 */
export async function createTestVectors(
  scheme: SignatureScheme | KeyPairScheme,
  options: TestVectorOptions = {},
): Promise<TestVectors> {
  const {
    method = 'POST',
    url = 'https://example.com/v1/things',
    clock = 1_767_225_600_000,
  } = options;
  const { createTestSigner, ...keys } = isKeyPairScheme(scheme)
    ? toTestKeyPair(scheme)
    : toTestKey(scheme);
  const signer = createTestSigner(() => clock);
  const signed = Object.fromEntries(
    toParts(scheme).flatMap(({ kind, text }) =>
      kind === 'header' ? [[text, `test-${text}`]] : [],
    ),
  );
  const authentic: TestVector[] = [];
  const ambiguous: Omit<RefusedVector, 'reason'>[] = [];
  for (const [name, content] of Object.entries(bodies)) {
    const body = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const request = toSignable({ method, url, headers: signed, body });
    const added = await signOrNothing(() => signer.sign(request));
    const vector = {
      name,
      request: { method, url, headers: { ...signed, ...added }, body: encodeBytes(body, 'base64') },
    };
    if (added === undefined) {
      ambiguous.push(vector);
      continue;
    }
    authentic.push({ ...vector, input: toInput(scheme, request, clock) });
  }
  return {
    scheme,
    ...keys,
    clock,
    authentic,
    refused: await refusedVectors(scheme, authentic, createTestSigner, clock),
    ambiguous,
  };
}

/** Returns the requests that every verifier of the scheme must refuse. They are derived from an authentic one. */
async function refusedVectors(
  scheme: SignatureScheme | KeyPairScheme,
  authentic: readonly TestVector[],
  createTestSigner: CreateTestSigner,
  clock: number,
): Promise<readonly RefusedVector[]> {
  const base = authentic.find(({ name }) => name === 'a JSON object')?.request;
  if (base === undefined) return [];
  const read = compileValueReader(scheme);
  const { signatures, timestamp = '' } = read(base.headers[scheme.header] ?? '') ?? {};
  const { value } = isKeyPairScheme(scheme) ? withKeyId(scheme, testKeyId) : scheme;
  const half = writeSignatureValue(value, signatures?.[0]?.slice(0, -8) ?? '', timestamp);
  const withHeader = (text: string): VectorRequest => ({
    ...base,
    headers: { ...base.headers, [scheme.header]: text },
  });
  const { [scheme.header]: _, ...unsigned } = base.headers;
  const refused: RefusedVector[] = [
    { name: 'no signature', request: { ...base, headers: unsigned }, reason: 'missing-signature' },
    { name: 'an empty signature', request: withHeader(''), reason: 'missing-signature' },
    { name: 'half a signature', request: withHeader(half), reason: 'malformed-signature' },
  ];
  if (scheme.over.includes('$request.body')) {
    const body = encodeBytes(new TextEncoder().encode('{"id":"evt_1","amount":99.91}'), 'base64');
    refused.push({
      name: 'another body',
      request: { ...base, body },
      reason: 'signature-mismatch',
    });
  }
  if (scheme.timestamp === undefined) return refused;
  const late = 1000 * (scheme.timestamp.tolerance + 1);
  for (const [name, at, reason] of [
    ['signed too long ago', clock - late, 'timestamp-too-old'],
    ['signed in the future', clock + late, 'timestamp-too-new'],
  ] as const) {
    const { [scheme.timestamp.header ?? '']: __, ...fresh } = unsigned;
    const body = decodeBytes(base.body, 'base64') ?? new Uint8Array();
    const signer = createTestSigner(() => at);
    const added = await signer.sign(toSignable({ ...base, headers: fresh, body }));
    refused.push({ name, request: { ...base, headers: { ...fresh, ...added } }, reason });
  }
  return refused;
}

/** Returns a test key in the scheme's encoding. Its text states that it is for tests only. */
function toTestKey(
  scheme: SignatureScheme,
): Pick<TestVectors, 'key'> & { readonly createTestSigner: CreateTestSigner } {
  const { encoding, prefix = '' } = scheme.key;
  const text = 'a key for tests and nothing else';
  const key =
    prefix + (encoding === 'utf-8' ? text : encodeBytes(new TextEncoder().encode(text), encoding));
  return { key, createTestSigner: (clock) => createHmacSigner(scheme, { key, clock }) };
}

/** Returns the key pair for tests, as the scheme writes keys. */
function toTestKeyPair(scheme: KeyPairScheme): Pick<
  TestVectors,
  'key' | 'publicKey' | 'keyId' | 'isRandomized'
> & {
  readonly createTestSigner: CreateTestSigner;
} {
  const { algorithm, saltLength, key: keyFormat } = scheme;
  const { encoding, prefix = '', privatePrefix = '' } = keyFormat;
  const pair = testKeyPairs[algorithm];
  const write = (hex: string): string =>
    encodeBytes(decodeBytes(hex, 'hex') ?? new Uint8Array(), encoding ?? 'hex');
  const [key, publicKey] =
    encoding === undefined
      ? [pair.privateKey, pair.publicKey]
      : [
          privatePrefix + write(ed25519TestBytes.privateKey),
          prefix + write(ed25519TestBytes.publicKey),
        ];
  const isRandomized =
    algorithm === 'ecdsa-p256-sha256' || (algorithm === 'rsa-pss-sha256' && saltLength !== 0);
  const named = namesKeys(scheme);
  return {
    key,
    publicKey,
    ...(named ? { keyId: testKeyId } : {}),
    ...(isRandomized ? { isRandomized } : {}),
    createTestSigner: (clock) =>
      createKeyPairSigner(scheme, { key: named ? { id: testKeyId, key } : key, clock }),
  };
}

function toSignable(
  request: Omit<VectorRequest, 'body'> & { readonly body: Uint8Array },
): SignableRequest {
  const lowered = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), [value]]),
  );
  return { ...request, headers: (name) => lowered.get(name) ?? [] };
}

async function signOrNothing(
  sign: () => SignatureHeaders | Promise<SignatureHeaders>,
): Promise<SignatureHeaders | undefined> {
  try {
    return await sign();
  } catch (error) {
    if (error instanceof SigningError && error.code === 'ambiguous-framing') return undefined;
    throw error;
  }
}

function toInput(
  scheme: SignatureScheme | KeyPairScheme,
  request: SignableRequest,
  clock: number,
): string {
  const format = scheme.timestamp?.format;
  const timestamp = format === undefined ? '' : writeTimestamp(clock, format, timestampPatterns);
  const pieces = compileSignedInput(scheme, checkedCore)(request, timestamp);
  if ('reason' in pieces) throw checkedCore.toError(pieces.reason);
  const bytes = pieces.flatMap((piece) => [
    ...(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece),
  ]);
  return encodeBytes(Uint8Array.from(bytes), 'base64');
}
