import { type TestKeyPair, testKeyPairs } from '@countersign/runtime/signing/test-vectors';

/**
 * Returns a key pair for the tests of an application that verifies signatures of an algorithm. Its private key is public.
 * @throws TypeError for an algorithm without key pairs
 */
export function testKeyPairOf(algorithm: string): TestKeyPair {
  const pair = Object.entries(testKeyPairs).find(([name]) => name === algorithm)?.[1];
  if (pair === undefined) throw new TypeError(`${algorithm} has no key pairs`);
  return pair;
}
