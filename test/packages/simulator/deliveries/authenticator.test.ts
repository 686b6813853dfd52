import { describe, expect, it } from 'vitest';
import type { DeliveryAuthentication } from '../../../../packages/simulator/src/index.ts';
import { createTestDeliverer, parcelService } from './parcel-service.ts';
import { receive } from './receive.ts';
import { verify } from './verify.ts';

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
    ['only a host', { publicUrl: 'https://example.com' }, /covers the path only/u],
    ['no change', { publicUrl: { received: '/a', called: '/a' } }, /covers the path only/u],
    ['no signature', { publicUrl: '/api', signature: false }, /no notification is signed/u],
  ])('is refused with %s', (_, authentication, message) => {
    const create = (): unknown => createTestDeliverer({ authentication });
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    expect(create).toThrow(message);
  });

  it('is refused where the signature covers no part of the URL', () => {
    const schemes = parcelService.schemes.map((scheme) =>
      scheme.signature === undefined
        ? scheme
        : { ...scheme, signature: { ...scheme.signature, over: ['$request.body' as const] } },
    );
    const create = (): unknown =>
      createTestDeliverer({ authentication: { publicUrl: '/api' } }, { ...parcelService, schemes });
    expect(create).toThrow(/no part of the URL/u);
  });
});
