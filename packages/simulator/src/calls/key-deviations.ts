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

/** Lists other keys that a client can make of the text of the key, and other algorithms. */
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
  for (const other of ['utf-8', 'base64', 'hex'].filter((one) => one !== encoding))
    add(
      other === 'utf-8' ? 'key-not-decoded' : `key-decoded-from-${other}`,
      other === 'utf-8'
        ? `the key is not decoded from ${stated}`
        : `the key is decoded from ${encodingNames[other] ?? other}`,
      decodeFix,
      keyBytes(key, other, prefix),
    );
  if (prefix !== '') {
    const whole = key.startsWith(prefix) ? key : prefix + key;
    const fix = `Remove the prefix \`${prefix}\` from the key before you use it.`;
    add('key-with-prefix', 'the key keeps its prefix', fix, Buffer.from(whole));
  }
  add(
    'key-with-line-end',
    'the key has a line end after it',
    'Remove the line end from the key. Files and shells often add one.',
    Buffer.from(`${key}\n`),
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

/** Lists other ways to write the digest. */
export function encodingDeviations({ scheme }: SignedCall): readonly DeviationCandidate[] {
  const stated = encodingNames[scheme.encoding] ?? scheme.encoding;
  const candidate = (code: string, condition: string, write: (digest: Buffer) => string) => ({
    subject: 'encoding' as const,
    code,
    condition,
    fix: `Write the bytes of the HMAC in ${stated}.`,
    write,
  });
  const all: readonly (DeviationCandidate & { readonly encoding: string })[] = [
    {
      encoding: 'hex',
      ...candidate('signature-in-hex', 'the signature is hexadecimal', (digest) =>
        digest.toString('hex'),
      ),
    },
    {
      encoding: 'base64',
      ...candidate('signature-in-base64', 'the signature is Base64', (digest) =>
        digest.toString('base64'),
      ),
    },
    {
      encoding: 'base64url',
      ...candidate('signature-in-base64url', 'the signature is Base64url', (digest) =>
        digest.toString('base64url'),
      ),
    },
    {
      encoding: '',
      ...candidate(
        'signature-without-padding',
        'the signature is Base64 without padding',
        (digest) => digest.toString('base64').replace(/=+$/u, ''),
      ),
    },
    {
      encoding: '',
      ...candidate('signature-with-padding', 'the signature is Base64url with padding', (digest) =>
        digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      ),
    },
    {
      encoding: '',
      ...candidate('base64-of-hex', 'the signature is Base64 of the hexadecimal digits', (digest) =>
        Buffer.from(digest.toString('hex')).toString('base64'),
      ),
    },
  ];
  return all.filter(({ encoding }) => encoding !== scheme.encoding);
}
