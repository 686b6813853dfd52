import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  sharedSecret,
  withHeader,
  WebhookError,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import type { DeliveredRequest } from '../../../../packages/runtime/webhooks/contract.ts';

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

  test.each([
    ['x'],
    ['first secret'],
    ['first secreT'],
    ['First secret'],
    ['first secret, and more'],
    ['the second, which is longer'],
    ['y'.repeat(5000)],
  ])('is compared in as many steps as %j has characters, whatever it is', async (secret) => {
    for (const all of [['z'], secrets.slice(0, 1), secrets.slice(1), ['z'.repeat(300)]]) {
      const authenticate = sharedSecret({ header: 'x-secret' }, all);
      const spy = vi.spyOn(String.prototype, 'charCodeAt');
      onTestFinished(() => spy.mockRestore());
      await authenticate(request([secret]));
      expect(spy.mock.contexts.map(String)).toEqual(Array(secret.length).fill(secret));
      spy.mockRestore();
    }
  });

  test('is compared with every secret, also after one that is equal', async () => {
    const authenticate = sharedSecret({ header: 'x-secret' }, secrets);
    const spy = vi.spyOn(String.prototype, 'charCodeAt');
    onTestFinished(() => spy.mockRestore());
    await authenticate(request(['first secret']));
    expect(spy).toHaveBeenCalledTimes(2 * 'first secret'.length);
  });

  test('of any length is equal to itself alone', async () => {
    for (const length of [1, 255, 256, 257, 600]) {
      const secret = 'a'.repeat(length);
      const authenticate = sharedSecret({ header: 'x-secret' }, secret);
      for (const wrongSecret of [secret.slice(1), `${secret}a`, `${secret}\0`, secret.repeat(2)])
        expect(await authenticate(request([wrongSecret])), `${length}`).toMatchObject({
          ok: false,
        });
      expect(await authenticate(request([secret])), `${length}`).toEqual({ ok: true });
    }
  });

  test('is looked for in a few segments of a path only', async () => {
    const authenticate = sharedSecret({ path: true }, secrets);
    expect(await authenticate(request([], '/a/first%20secret/b'))).toEqual({
      ok: true,
      secretSegments: ['first secret'],
    });
    const long = `${'/a'.repeat(1000)}/first%20secret`;
    const spy = vi.spyOn(String.prototype, 'charCodeAt');
    onTestFinished(() => spy.mockRestore());
    expect(await authenticate(request([], long))).toMatchObject({ ok: false });
    expect(spy).not.toHaveBeenCalled();
  });

  test.each([
    [{ header: 'x-secret' }, ''],
    [{ header: 'x-secret' }, '  '],
    [{ header: 'x-secret' }, []],
    [{ header: 'x-secret' }, ['one', '']],
    [{ header: 'x-secret' }, undefined],
    [{ header: 'x-secret' }, 5],
    [{ header: '' }, 'secret'],
    [{ path: true }, 'a/b'],
    [{ path: true }, ['right', 'a\\b']],
    [{ path: true }, '..'],
    [{ path: true }, 'a%2Fb'],
    [{ path: true }, '\ud800'],
    [{}, 'secret'],
  ])('at %j of %j is refused when it is made', (place, secret) => {
    expect(() => sharedSecret(place as never, secret as never)).toThrow(WebhookError);
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
