import type { DeviationCandidate, SignedCall } from './deviation-candidate.ts';

const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': 'text',
  base64: 'Base64',
  base64url: 'Base64url',
  hex: 'hexadecimal',
};

/** Returns the bytes of a key, or `undefined` where its text is not in the encoding. */
export function keyBytes(text: string, encoding: string, prefix = ''): Buffer | undefined {
  const inner = prefix !== '' && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  switch (encoding) {
    case 'hex':
      return /^(?:[\da-f]{2})+$/iu.test(inner) ? Buffer.from(inner, 'hex') : undefined;
    case 'base64':
      return /^[\w+/-]+={0,2}$/u.test(inner) ? Buffer.from(inner, 'base64') : undefined;
    default:
      return Buffer.from(inner);
  }
}

/** Lists other keys that the text of the key can give, and other algorithms. */
export function keyDeviations({ scheme, key }: SignedCall): readonly DeviationCandidate[] {
  const { encoding, prefix = '' } = scheme.key;
  const stated = encodingNames[encoding] ?? encoding;
  const candidates: DeviationCandidate[] = [];
  const add = (code: string, condition: string, fix: string, bytes: Buffer | undefined): void => {
    if (bytes !== undefined && bytes.length > 0)
      candidates.push({ subject: 'key', code, condition, fix, key: bytes });
  };
  const decodeFix =
    encoding === 'utf-8'
      ? 'Use the bytes of the key as they are, without decoding it.'
      : `Decode the key from ${stated} before you use it.`;
  for (const other of ['utf-8', 'base64', 'hex'].filter((keyEncoding) => keyEncoding !== encoding))
    add(
      other === 'utf-8' ? 'key-not-decoded' : `key-decoded-from-${other}`,
      other === 'utf-8'
        ? `the key is not decoded from ${stated}`
        : `the key is decoded from ${encodingNames[other] ?? other}`,
      decodeFix,
      keyBytes(key, other, prefix),
    );
  if (prefix !== '') {
    const prefixedKey = key.startsWith(prefix) ? key : prefix + key;
    const fix = `Remove the prefix \`${prefix}\` from the key before you use it.`;
    add('key-with-prefix', 'the key keeps its prefix', fix, Buffer.from(prefixedKey));
  }
  for (const end of ['\n', '\r\n'])
    add(
      'key-with-line-end',
      'the key has a line end after it',
      'Remove the line end from the key. Files and shells often add one.',
      Buffer.from(`${key}${end}`),
    );
  for (const spaced of [` ${key}`, `${key} `, ` ${key} `, key.trim()])
    if (spaced !== key)
      add(
        'key-with-space',
        spaced.length > key.length
          ? 'the key has white space around it'
          : 'the key is used without the white space around it',
        'Use the text of the key as it is, without white space that is not in it.',
        Buffer.from(spaced),
      );
  for (const quote of ['"', "'"])
    add(
      'key-in-quotes',
      'the key has quotes around it',
      'Remove the quotes around the key. Some readers of `.env` files keep them.',
      Buffer.from(`${quote}${key}${quote}`),
    );
  for (const algorithm of ['hmac-sha256', 'hmac-sha1', 'hmac-sha512'])
    if (algorithm !== scheme.algorithm)
      candidates.push({
        subject: 'algorithm',
        code: 'other-algorithm',
        condition: `the algorithm is ${algorithm}`,
        fix: `Use ${scheme.algorithm}.`,
        algorithm,
      });
  return candidates;
}

type Write = (digest: Buffer) => string;

/** The ways to write a digest, with the encodings of contracts from which each is a deviation. */
const writings: readonly (readonly [
  code: string,
  name: string,
  statedAs: readonly string[],
  write: Write,
])[] = [
  ['signature-in-hex', 'hexadecimal', ['base64', 'base64url'], (digest) => digest.toString('hex')],
  ['signature-in-base64', 'Base64', ['hex', 'base64url'], (digest) => digest.toString('base64')],
  [
    'signature-in-base64url',
    'Base64url',
    ['hex', 'base64'],
    (digest) => digest.toString('base64url'),
  ],
  [
    'signature-without-padding',
    'Base64 without padding',
    ['base64'],
    (digest) => digest.toString('base64').replace(/=+$/u, ''),
  ],
  [
    'signature-with-padding',
    'Base64url with padding',
    ['base64url'],
    (digest) => digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  ],
  [
    'base64-of-hex',
    'Base64 of the hexadecimal digits',
    ['hex', 'base64', 'base64url'],
    (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
  ],
];

/** Lists other ways to write the digest. */
export function encodingDeviations({ scheme }: SignedCall): readonly DeviationCandidate[] {
  const stated = encodingNames[scheme.encoding] ?? scheme.encoding;
  return writings
    .filter(([, , statedAs]) => statedAs.includes(scheme.encoding))
    .map(([code, name, , write]) => ({
      subject: 'encoding',
      code,
      condition: `the signature is ${name}`,
      fix: `Write the bytes of the HMAC in ${stated}.`,
      write,
    }));
}
