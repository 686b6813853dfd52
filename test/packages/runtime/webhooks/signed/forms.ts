import { constants, createHmac, sign } from 'node:crypto';
import { testKeyPairs } from '../../../../../packages/runtime/signing/test-vectors.ts';
import type { Signing } from './contracts.ts';

type KeyPairAlgorithm = keyof typeof testKeyPairs;

/** How a signature is made and written. */
export interface Form {
  readonly algorithm: 'hmac-sha256' | 'hmac-sha1' | 'hmac-sha512' | KeyPairAlgorithm;
  readonly encoding: 'hex' | 'base64' | 'base64url';
  readonly keyEncoding: 'utf-8' | 'base64' | 'hex';
  /** Between signed members of a body. */
  readonly separator: string;
  /** What the header has beside a signature: nothing, its version, a time, or another signature with the next key. */
  readonly value: 'alone' | 'version' | 'time' | 'two keys' | 'time and two keys';
  /** How ECDSA writes its numbers. */
  readonly format?: 'raw' | 'der';
}

export const plainForm: Form = {
  algorithm: 'hmac-sha256',
  encoding: 'hex',
  keyEncoding: 'utf-8',
  separator: ':',
  value: 'alone',
};

const key = 'example-key-of-the-sender';
/** The key to which the sender changes. Receivers know both. */
const nextKey = 'next-key-of-the-sender';

/** When deliveries are signed, and the clock of receivers. */
export const signedAt: number = Date.UTC(2026, 0, 15);

function isKeyPair(algorithm: Form['algorithm']): algorithm is KeyPairAlgorithm {
  return !algorithm.startsWith('hmac-');
}

/** Returns the keys of receivers, the one with which deliveries are signed last. */
export function keysOf({ algorithm, keyEncoding }: Form = plainForm): readonly string[] {
  if (isKeyPair(algorithm)) return [testKeyPairs[algorithm].publicKey];
  const encoding = keyEncoding === 'utf-8' ? 'utf8' : keyEncoding;
  return [nextKey, key].map((text) => Buffer.from(text).toString(encoding));
}

/** Returns the `x-signature` of a scheme. */
export function headerOf(form: Form): object {
  const { algorithm, encoding, keyEncoding, value, format } = form;
  const hasTime = value.startsWith('time');
  return {
    algorithm,
    key: { credential: 'secret', ...(isKeyPair(algorithm) ? {} : { encoding: keyEncoding }) },
    ...(format && { format }),
    ...(algorithm === 'rsa-pss-sha256' && { saltLength: 32 }),
    over: hasTime ? ['$timestamp', { text: '.' }, '$request.body'] : ['$request.body'],
    encoding,
    ...(hasTime && { timestamp: { format: 'unix-seconds', tolerance: 86_400 } }),
    ...templates[value],
  };
}

const templates: Readonly<Record<Form['value'], object>> = {
  alone: {},
  version: { value: 'v1={signature}' },
  time: { value: 't={timestamp},v1={signature}', separator: ',' },
  'two keys': { value: 'v1;{signature}', separator: ' ' },
  'time and two keys': { value: 't={timestamp},v1={signature}', separator: ',' },
};

/** Returns the value of the header for a body. */
export function signText(form: Form = plainForm, body: string): string {
  const { value } = form;
  const time = String(signedAt / 1000);
  const text = value.startsWith('time') ? `${time}.${body}` : body;
  const signature = signedTextOf(form, text);
  // A receiver does not know the key of the other one.
  const other = signedTextOf(form, text, 'a key that was withdrawn');
  const written: Readonly<Record<Form['value'], string>> = {
    alone: signature,
    version: `v1=${signature}`,
    time: `t=${time},v1=${signature}`,
    'two keys': `v1;${other} v1;${signature}`,
    'time and two keys': `t=${time},v1=${other},v1=${signature}`,
  };
  return written[value];
}

/** Returns the signature of a text. */
export function signedTextOf(
  { algorithm, encoding, format }: Form,
  text: string,
  secret: string = key,
): string {
  if (!isKeyPair(algorithm))
    return createHmac(algorithm.slice('hmac-'.length), secret).update(text).digest(encoding);
  // With a key pair, the other signature is one of another text.
  const bytes = Buffer.from(secret === key ? text : `${text} `);
  const { privateKey } = testKeyPairs[algorithm];
  const options = {
    ed25519: { key: privateKey },
    'ecdsa-p256-sha256': {
      key: privateKey,
      dsaEncoding: format === 'der' ? 'der' : 'ieee-p1363',
    },
    'rsa-pss-sha256': {
      key: privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    },
    'rsa-v1_5-sha256': { key: privateKey },
  } as const;
  return sign(algorithm === 'ed25519' ? null : 'sha256', bytes, options[algorithm]).toString(
    encoding,
  );
}

/** Returns the forms of signatures in a header, or in a body, each of which differs in one thing from the usual one. */
export function* formsOf(signing: Signing): Iterable<Form> {
  const isInHeader = signing !== 'root' && signing !== 'each';
  const isInBody = signing !== 'header';
  for (const algorithm of ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'] as const)
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      yield { ...plainForm, algorithm, encoding };
  for (const keyEncoding of ['base64', 'hex'] as const) yield { ...plainForm, keyEncoding };
  if (isInHeader)
    for (const value of Object.keys(templates) as Form['value'][])
      for (const encoding of ['hex', 'base64'] as const) yield { ...plainForm, value, encoding };
  // A signature in the body is made with a secret.
  if (isInHeader && !isInBody)
    for (const algorithm of Object.keys(testKeyPairs) as KeyPairAlgorithm[])
      for (const format of algorithm === 'ecdsa-p256-sha256' ? (['raw', 'der'] as const) : [])
        yield { ...plainForm, algorithm, format, value: 'two keys' };
  if (isInHeader && !isInBody)
    for (const algorithm of Object.keys(testKeyPairs) as KeyPairAlgorithm[])
      if (algorithm !== 'ecdsa-p256-sha256')
        for (const value of ['alone', 'time and two keys'] as const)
          yield { ...plainForm, algorithm, encoding: 'base64', value };
  if (isInBody)
    for (const separator of ['|', '\n', '::', ' ', '\u0000', 'é', '.', '-', '1'])
      yield { ...plainForm, separator };
}
