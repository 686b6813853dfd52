import { afterAll, expect, test } from 'vitest';
import { createSigner } from '../../../../packages/runtime/signing/core.ts';
import { describeCore } from './core-suite.ts';
import { base, key } from './refused-requests.ts';
import { toSignable } from './signable.ts';
import { removeNode } from '../without-node.ts';

afterAll(removeNode());

describeCore();

test('the core signs with WebCrypto, in promises', async () => {
  const request = toSignable({ headers: { 'X-Id': 'a' } });
  const headers = createSigner(base, { key }).sign(request);
  expect(headers).toBeInstanceOf(Promise);
  expect(Object.keys(await headers)).toContain('X-Signature');
});
