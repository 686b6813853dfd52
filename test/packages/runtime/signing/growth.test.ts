import { expectLinear } from '../../../counted-work.ts';
import { describe, expect, test } from 'vitest';
import {
  createVerifier,
  type SignatureScheme,
} from '../../../../packages/runtime/signing/index.ts';
import { createKeySet } from '../../../../packages/runtime/signing/jwks.ts';
import { toSignable } from './signable.ts';

const list = (size: number, write: (index: number) => string, separator = ','): string =>
  Array.from({ length: size }, (_, index) => write(index)).join(separator);
const key = (kid: string, more = ''): string =>
  `{"kty":"OKP","crv":"Ed25519","x":"AAAA","kid":"${kid}"${more}}`;

const sets: readonly (readonly [what: string, write: (size: number) => string])[] = [
  ['keys', (n) => `{"keys":[${list(n, (index) => key(`k${index}`))}]}`],
  ['keys with one id', (n) => `{"keys":[${list(n, () => key('k'))}]}`],
  ['keys that cannot verify', (n) => `{"keys":[${list(n, () => '{"kty":"oct","kid":"k"}')}]}`],
  [
    'members of a key',
    (n) =>
      `{"keys":[${key(
        'k',
        list(n, (index) => `,"m${index}":1`, ''),
      )}]}`,
  ],
  ['a long id', (n) => `{"keys":[${key('k'.repeat(n))}]}`],
  ['members of a set', (n) => `{${list(n, (index) => `"m${index}":1`)},"keys":[]}`],
  ['levels', (n) => `{"keys":${'['.repeat(n)}${']'.repeat(n)}}`],
  ['text that is not JSON', (n) => 'x'.repeat(n)],
];

describe('twice the set costs at most 2.5 times the work', () => {
  test.each(sets)('%s', async (_, write) => {
    for (const chunk of [1, Infinity])
      await expectLinear(async (size) => {
        const bytes = new TextEncoder().encode(write(size));
        let start = 0;
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            if (start < bytes.length) controller.enqueue(bytes.subarray(start, start + chunk));
            else controller.close();
            start += chunk;
          },
        });
        const keySet = createKeySet('https://keys.example/set', {
          maxBytes: 2 ** 30,
          onError: () => undefined,
          fetch: async () => await Promise.resolve(new Response(body)),
        });
        const found = await Promise.resolve(keySet.find('k')).catch(() => []);
        expect(found.length).toBeLessThanOrEqual(64);
      }, 1000);
  });
});

const scheme: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$timestamp', { text: '.' }, '$request.body'],
  encoding: 'hex',
  header: 'X-Signature',
  value: 't={timestamp},v1={signature}',
  separator: ',',
  timestamp: { format: 'unix-seconds', tolerance: 300 },
};
const digest = 'a'.repeat(64);

const values: readonly (readonly [what: string, write: (size: number) => string])[] = [
  ['signatures', (n) => `t=1700000000,${list(n, () => `v1=${digest}`)}`],
  ['timestamps', (n) => list(n, () => 't=1700000000')],
  ['pairs of others', (n) => `${list(n, () => 'v0=1')},t=1700000000,v1=${digest}`],
  ['digits of a timestamp', (n) => `t=${'1'.repeat(n)},v1=${digest}`],
  ['digits of a signature', (n) => `t=1700000000,v1=${'a'.repeat(n)}`],
  ['separators', (n) => ','.repeat(n)],
  ['spaces', (n) => `t=1700000000,${' '.repeat(n)}v1=${digest}`],
  ['equals signs', (n) => `t${'='.repeat(n)}`],
];

describe('twice the header costs at most 2.5 times the work', () => {
  test.each(values)('%s', async (_, write) => {
    const { verify } = createVerifier(scheme, { keys: ['secret'], clock: () => 1_700_000_000_000 });
    await expectLinear(async (size) => {
      const verification = await verify(toSignable({ headers: { 'x-signature': write(size) } }));
      expect(verification.ok).toBe(false);
    }, 1000);
  });
});
