import { expect, test } from 'vitest';
import { createSigner } from '../../../../packages/runtime/signing/hmac.ts';
import { describeCore } from './core-suite.ts';
import { base, key } from './refused-requests.ts';
import { toSignable } from './signable.ts';

describeCore();

test('the core signs with node:crypto, at once', () => {
  const request = toSignable({ headers: { 'X-Id': 'a' } });
  expect(createSigner(base, { key }).sign(request)).not.toBeInstanceOf(Promise);
});
