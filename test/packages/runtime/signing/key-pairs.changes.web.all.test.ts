import { afterAll, expect, test } from 'vitest';
import { expectNoChangeAccepted } from './key-pair-changes.ts';
import { keyPairSchemes } from './key-pair-suite.ts';
import { removeNode } from '../without-node.ts';

afterAll(removeNode());

test.each(Object.entries(keyPairSchemes))(
  '%s accepts none of 10,000 changes',
  async (name, scheme) => {
    const counts = await expectNoChangeAccepted(name, scheme, 10_000);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(counts.size).toBeGreaterThanOrEqual(9);
  },
  120_000,
);
