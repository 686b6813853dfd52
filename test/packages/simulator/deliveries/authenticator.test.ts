import { describe, expect, it } from 'vitest';
import type { DeliveryAuthentication } from '../../../../packages/simulator/src/index.ts';
import { createTestDeliverer, parcelService } from './parcel-service.ts';
import { receive } from './receive.ts';
import { verify } from './verify.ts';
import { toSecurity } from '../to-security.ts';

describe('a public URL', () => {
  it('is what the signature covers, while the receiver is called', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({
      to: url,
      authentication: { publicUrl: { received: '/hooks', called: '/api' } },
    });
    await deliverer.trigger('parcelSent');
    const [request] = received;
    if (request === undefined) throw new Error('There is a request.');
    expect(request.url).toMatch(/^\/hooks\/parcels\//u);
    const { signingKey = '' } = deliverer.credentials;
    expect(await verify(signingKey, request)).toBe('signature-mismatch');
    const called = { ...request, url: request.url?.replace('/hooks', '/api') };
    expect(await verify(signingKey, called)).toBe('authentic');
  });

  it.each<readonly [string, DeliveryAuthentication, RegExp]>([
    ['no address', { publicUrl: 'example.com' }, /must be an address/u],
    ['only a host', { publicUrl: 'https://example.com' }, /does not change the signed path/u],
    [
      'no change',
      { publicUrl: { received: '/a', called: '/a' } },
      /does not change the signed path/u,
    ],
    ['no signature', { publicUrl: '/api', signature: false }, /no notification is signed/u],
  ])('is refused with %s', (_, authentication, message) => {
    const create = (): unknown => createTestDeliverer({ authentication });
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    expect(create).toThrow(message);
  });

  it('is refused where the signature covers no part of the URL', () => {
    const security = parcelService.security.map((scheme) =>
      scheme.signature === undefined
        ? scheme
        : { ...scheme, signature: { ...scheme.signature, over: ['$request.body' as const] } },
    );
    const create = (): unknown =>
      createTestDeliverer(
        { authentication: { publicUrl: '/api' } },
        { ...parcelService, security },
      );
    expect(create).toThrow(/no part of the URL/u);
  });
});

describe('a secret in the path', () => {
  const inPath = {
    ...parcelService,
    security: [{ id: 'segment', type: 'apiKey', in: 'path' } as const],
    notifications: parcelService.notifications.map((notification) => ({
      ...notification,
      security: toSecurity([['segment']]),
    })),
  };

  it('is sent before the label, and not recorded', async () => {
    const { url, received } = await receive();
    for (const address of [`${url}/hook`, `${url}/hook/?tenant=1`]) {
      const deliverer = createTestDeliverer(
        { to: address, authentication: { pathSecret: 'not told' } },
        inPath,
      );
      await deliverer.trigger('parcelSent');
      const [entry] = deliverer.attempts();
      if (entry === undefined) throw new Error('There is an attempt.');
      await deliverer.sendAgain(entry);
      const [first, again] = received.splice(0);
      expect(first?.url).toMatch(/^\/hooks\/hook\/not%20told\/parcels\//u);
      expect(again?.url).toBe(first?.url);
      const recorded = JSON.stringify([deliverer.attempts(), deliverer.list(), deliverer.to]);
      expect(recorded).toContain('/[redacted]/parcels/');
      expect(recorded).not.toMatch(/not( |%20)told/u);
    }
  });

  it('has to be given', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url }, inPath);
    await expect(deliverer.trigger('parcelSent')).rejects.toThrow(/`authentication.pathSecret`/u);
    expect(received).toEqual([]);
  });

  it('in the address is not recorded', async () => {
    const { url } = await receive();
    const options = { to: `${url}/written-out`, authentication: { signature: false } } as const;
    const deliverer = createTestDeliverer(options, inPath);
    await deliverer.trigger('parcelSent');
    expect(deliverer.attempts()).toHaveLength(1);
    expect(JSON.stringify(deliverer.attempts())).not.toContain('written-out');
    // Neither is one in an address that is set later.
    deliverer.to = `${url}/another-one`;
    await deliverer.trigger('parcelSent');
    expect(deliverer.attempts()).toHaveLength(2);
    expect(JSON.stringify(deliverer.attempts())).not.toContain('another-one');
  });

  it.each(['.', '..', 'a/b', 'a\\b', '\ud800'])('is refused as %j', (pathSecret) => {
    const to = 'http://127.0.0.1:9';
    expect(() => createTestDeliverer({ to, authentication: { pathSecret } }, inPath)).toThrow(
      /must be one segment/u,
    );
  });
});
