import { p256 } from '@noble/curves/nist.js';
import { expect } from 'vitest';
import {
  createSigner,
  createVerifier,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { makeKeys, toPem } from './key-pair-suite.ts';
import { now } from './read-scheme.ts';
import { toSignable } from './signable.ts';

const clock = (): number => now;
const order = p256.Point.CURVE().n;

/** A sequence of numbers that looks random and is the same in each run. */
function createRandom(): (below: number) => number {
  let state = 0x2545f491;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/**
 * Changes signed content, or its signature, in many ways, and asserts that none is accepted.
 * @returns the number of changes by their kind
 */
export async function expectNoChangeAccepted(
  name: string,
  scheme: KeyPairScheme,
  changes: number,
): Promise<ReadonlyMap<string, number>> {
  const { privateKey, publicKey } = makeKeys(name);
  const { verify } = createVerifier(scheme, { keys: [toPem(publicKey)], clock });
  const body = Buffer.from('{"id":"evt_1","amount":1999,"to":"São João"}');
  const added = await createSigner(scheme, { key: toPem(privateKey), clock }).sign(
    toSignable({ headers: { 'X-Id': 'msg_1' }, body }),
  );
  const headers: Readonly<Record<string, string>> = { 'X-Id': 'msg_1', ...added };
  const signature = Buffer.from((headers['X-Signature'] ?? '').slice(3), 'base64');
  expect(await verify(toSignable({ headers, body }))).toMatchObject({ ok: true });

  const random = createRandom();
  const flip = (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    const at = random(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
    return copy;
  };
  const signed = (bytes: Uint8Array, content: Buffer = body) => ({
    headers: { ...headers, 'X-Signature': `v1=${Buffer.from(bytes).toString('base64')}` },
    body: content,
  });
  const kinds: Readonly<Record<string, () => { readonly headers: object; readonly body: Buffer }>> =
    {
      'a bit of the body': () => ({ headers, body: flip(body) }),
      'a byte less': () => ({
        headers,
        body: Buffer.concat([body.subarray(0, random(body.length))]),
      }),
      'bytes more': () => ({ headers, body: Buffer.concat([body, Buffer.alloc(1 + random(99))]) }),
      'a header': () => ({ headers: { ...headers, 'X-Id': `msg_${2 + random(1e6)}` }, body }),
      'the timestamp': () => ({
        headers: {
          ...headers,
          'X-Timestamp': String(now / 1000 + (random(2) === 0 ? 1 : -1) * (1 + random(299))),
        },
        body,
      }),
      'a bit of the signature': () => signed(flip(signature)),
      'a shorter signature': () => signed(signature.subarray(0, random(signature.length))),
      'a longer signature': () =>
        signed(
          random(2) === 0
            ? Buffer.concat([signature, Buffer.alloc(1 + random(4))])
            : Buffer.concat([Buffer.alloc(1 + random(4)), signature]),
        ),
      'random bytes': () => signed(Uint8Array.from(signature, () => random(256))),
      ...(scheme.algorithm === 'ecdsa-p256-sha256'
        ? ecdsaKinds(scheme, signature, body, random)
        : {}),
    };
  function ecdsaKinds(
    { format }: KeyPairScheme,
    signature: Buffer,
    content: Buffer,
    below: (limit: number) => number,
  ): typeof kinds {
    const { r, s } = p256.Signature.fromBytes(signature, format === 'der' ? 'der' : 'compact');
    const raw = (first: bigint, second: bigint): Buffer =>
      Buffer.from(
        [first, second].map((number) => number.toString(16).padStart(64, '0')).join(''),
        'hex',
      );
    const integer = (bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.of(0x02, bytes.length), bytes]);
    const bytesOf = (number: bigint): Buffer => {
      const hex = number.toString(16);
      const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
      return (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
    };
    const der = (...numbers: readonly Buffer[]): Buffer => {
      const inner = Buffer.concat(numbers.map(integer));
      return Buffer.concat([Buffer.of(0x30, inner.length), inner]);
    };
    const write = (first: bigint, second: bigint): Buffer =>
      format === 'der' ? der(bytesOf(first), bytesOf(second)) : raw(first, second);
    const kindsOfScheme: typeof kinds = {
      'the numbers exchanged': () => signed(write(s, r)),
      'a number of zero': () => signed(below(2) === 0 ? write(0n, s) : write(r, 0n)),
      'a number above the order': () => {
        const at = 32 * below(2);
        return signed(raw(r, s).fill(0xff, at, at + 32));
      },
      'the order': () => signed(below(2) === 0 ? write(order, s) : write(r, order)),
      'the other number for another body': () => signed(write(r, order - s), flip(content)),
    };
    if (format === 'raw')
      return { ...kindsOfScheme, 'the numbers as DER': () => signed(der(bytesOf(r), bytesOf(s))) };
    const inner = signature.subarray(2);
    return {
      ...kindsOfScheme,
      'the numbers raw': () => signed(raw(r, s)),
      'leading zeros': () =>
        signed(
          der(
            Buffer.concat([Buffer.alloc(1 + below(3)), bytesOf(r)]),
            Buffer.concat([Buffer.alloc(below(3)), bytesOf(s)]),
          ),
        ),
      'a long length': () => signed(Buffer.concat([Buffer.of(0x30, 0x81, inner.length), inner])),
      'an indefinite length': () =>
        signed(Buffer.concat([Buffer.of(0x30, 0x80), inner, Buffer.alloc(2)])),
      'bytes after the numbers': () =>
        signed(Buffer.concat([Buffer.of(0x30, inner.length + 2), inner, Buffer.of(5, 0)])),
      'three numbers': () => signed(der(bytesOf(r), bytesOf(s), Buffer.of(1 + below(100)))),
      'another tag': () => signed(Buffer.concat([Buffer.of(0x31), signature.subarray(1)])),
    };
  }

  const counts = new Map<string, number>();
  const names = Object.keys(kinds);
  for (let count = 0; count < changes; count++) {
    const kind = names[count % names.length] ?? '';
    const changed = kinds[kind]?.();
    if (changed === undefined) continue;
    const verification = await verify(
      toSignable({
        headers: changed.headers as Readonly<Record<string, string>>,
        body: changed.body,
      }),
    );
    if (verification.ok) throw new Error(`accepted: ${kind}`);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}
