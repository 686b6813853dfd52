import { expect, test, vi } from 'vitest';
import { createSigner } from '../../../../packages/runtime/signing/unchecked.ts';
import { describeCore } from './core-suite.ts';
import { base, key } from './refused-requests.ts';
import { toSignable } from './signable.ts';

vi.mock(
  '../../../../packages/runtime/signing/hmac-node.ts',
  () => import('../../../../packages/runtime/signing/hmac-web.ts'),
);

describeCore();

test('the core signs with WebCrypto, in promises', async () => {
  const request = toSignable({ headers: { 'X-Id': 'a' } });
  const headers = createSigner(base, { key }).sign(request);
  expect(headers).toBeInstanceOf(Promise);
  expect(Object.keys(await headers)).toContain('X-Signature');
});
