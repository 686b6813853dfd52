import { afterAll, expect, test } from 'vitest';
import {
  createSigner,
  type KeyPairScheme,
} from '../../../../packages/runtime/signing/key-pairs.ts';
import { expectNoChangeAccepted } from './key-pair-changes.ts';
import { describeKeyPairs, keyPairSchemes, makeKeys, toPem } from './key-pair-suite.ts';
import { toSignable } from './signable.ts';
import { removeNode } from '../without-node.ts';

afterAll(removeNode());

describeKeyPairs();

test('WebCrypto signs in promises', async () => {
  const scheme = keyPairSchemes['ed25519'] as KeyPairScheme;
  const key = toPem(makeKeys('ed25519').privateKey);
  const signed = createSigner(scheme, { key }).sign(toSignable({ headers: { 'X-Id': 'a' } }));
  expect(signed).toBeInstanceOf(Promise);
  expect(Object.keys(await signed)).toContain('X-Signature');
});

test.each(Object.entries(keyPairSchemes))(
  '%s accepts none of 200 changes',
  async (name, scheme) => {
    const counts = await expectNoChangeAccepted(name, scheme, 200);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(200);
  },
);
