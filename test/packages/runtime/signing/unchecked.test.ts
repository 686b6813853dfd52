import { expect, test } from 'vitest';
import { createCheckingSigner, createSigner } from '../../../../packages/runtime/signing/core.ts';
import { describeCore } from './core-suite.ts';
import { base, key } from './refused-requests.ts';
import { toSignable } from './signable.ts';

describeCore();

test('the core signs with node:crypto, at once', () => {
  const request = toSignable({ headers: { 'X-Id': 'a' } });
  expect(createSigner(base, { key }).sign(request)).not.toBeInstanceOf(Promise);
});

test.each(['yesterday', '1767225600.0', ' 1767225600'])(
  'a checking signer refuses the timestamp "%s" of the caller, which is not in the format',
  async (timestamp) => {
    const request = toSignable({ headers: { 'X-Id': 'a', 'X-Timestamp': timestamp } });
    const signer = createCheckingSigner(base, { key });
    expect(() => signer.sign(request)).toThrow(
      expect.objectContaining({
        name: 'SigningError',
        code: 'malformed-timestamp',
        message: expect.stringMatching(
          /the header `X-Timestamp` must have the format unix-seconds, such as \d{10}\)$/u,
        ) as string,
      }),
    );
    const own = toSignable({ headers: { 'X-Id': 'a', 'X-Timestamp': '1767225600' } });
    expect(await signer.sign(own)).toEqual(await createSigner(base, { key }).sign(own));
  },
);
