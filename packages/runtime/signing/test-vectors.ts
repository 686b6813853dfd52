import { checkedCore, createSigner as createHmacSigner } from './checked.ts';
import { decodeBytes, encodeBytes } from './encoding.ts';
import { toParts } from './part.ts';
import type { VerificationFailure } from './refusal.ts';
import type { SignableRequest } from './request.ts';
import type { SignatureScheme } from './scheme.ts';
import { compileValueReader, writeSignatureValue } from './signature-value.ts';
import { compileSignedInput } from './signed-input.ts';
import { namesKeys, withKeyId } from './key-id.ts';
import { createSigner as createKeyPairSigner } from './key-pairs.ts';
import { type KeyPairScheme, isKeyPairScheme } from './key-pair-scheme.ts';
import type { SignatureHeaders, Signer } from './signer.ts';
import { SigningError } from './signing-error.ts';
import { ed25519TestBytes, testKeyPairs } from './test-keys.ts';
import { writeTimestamp } from './timestamp.ts';
import { timestampPatterns } from './timestamp-pattern.ts';

export { testKeyPairs, type TestKeyPair } from './test-keys.ts';

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
