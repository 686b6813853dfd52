import { describe, expect, test, vi } from 'vitest';
import * as digests from '../../../packages/webhooks/src/digest-node.ts';
import { sharedSecret, withHeader, WebhookError } from '../../../packages/webhooks/src/index.ts';
import type { DeliveredRequest } from '../../../packages/webhooks/src/request.ts';

vi.mock(import('../../../packages/webhooks/src/digest-node.ts'), async (original) => {
  const real = await original();
  return { digest: vi.fn(real.digest) };
});

function request(values: readonly string[], url = '/'): DeliveredRequest {
  const headers = (name: string): readonly string[] => (name === 'x-secret' ? values : []);
  return { method: 'POST', url, headers, body: new Uint8Array() };
}

const secrets = ['first secret', 'the second, which is longer'];

describe('a shared secret', () => {
  test.each([
    [['first secret'], true],
    [['the second, which is longer'], true],
    [['first secre'], false],
    [['first secret '], false],
    [['First secret'], false],
    [[''], false],
    [['x'.repeat(100_000)], false],
    [[], false],
    [['first secret', 'first secret'], false],
  ])('%j', async (values, ok) => {
    const verdict = await sharedSecret({ header: 'X-Secret' }, secrets)(request(values));
    expect(verdict).toMatchObject({ ok });
  });

  test('is compared by digests of one length: every secret, whatever its length and wherever it differs', async () => {
    const { digest } = vi.mocked(digests);
    const authenticate = sharedSecret({ header: 'x-secret' }, secrets);
    await authenticate(request(['warms up']));
    for (const given of ['x', 'first secreT', 'first secret', 'y'.repeat(5000)]) {
      digest.mockClear();
      await authenticate(request([given]));
      // The secrets' own digests are made once: how long they are shows in no other request.
      expect(digest.mock.calls.map(([text]) => text)).toEqual([given]);
    }
  });

  test('is looked for in a few segments of a path only', async () => {
    const { digest } = vi.mocked(digests);
    const authenticate = sharedSecret({ path: true }, secrets);
    expect(await authenticate(request([], '/a/first%20secret/b'))).toEqual({ ok: true });
    digest.mockClear();
    const long = `${'/a'.repeat(1000)}/first%20secret`;
    expect(await authenticate(request([], long))).toMatchObject({ ok: false });
    expect(digest).not.toHaveBeenCalled();
  });

  test.each([
    [{ header: 'x-secret' }, ''],
    [{ header: 'x-secret' }, '  '],
    [{ header: 'x-secret' }, []],
    [{ header: 'x-secret' }, ['one', '']],
    [{ header: 'x-secret' }, undefined],
    [{ header: 'x-secret' }, 5],
    [{ header: '' }, 'secret'],
    [{}, 'secret'],
  ])('at %j of %j is refused when it is made', (place, given) => {
    expect(() => sharedSecret(place as never, given as never)).toThrow(WebhookError);
  });
});

describe('a header that has to have a value', () => {
  test.each([
    [['first secret'], true],
    [['the second, which is longer'], true],
    [['first secret', 'first secret'], false],
    [['another'], false],
    [[], false],
  ])('%j', async (values, ok) => {
    const next = vi.fn<() => boolean>(() => true);
    const verdict = await withHeader('x-secret', secrets, next)(request(values));
    expect(verdict).toEqual(ok ? true : { ok: false, reason: 'wrong-header' });
    expect(next).toHaveBeenCalledTimes(ok ? 1 : 0);
  });
});
