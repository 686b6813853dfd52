import { createVerifier, type SignatureScheme } from '@countersign/signing';
import { describe, expect, it } from 'vitest';
import { createTestDeliverer } from './parcel-service.ts';
import { receive, type Received } from './receive.ts';

const scheme: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: { encoding: 'utf-8' },
  over: ['$request.header.x-account', '$timestamp', '$request.body', '$url.path'],
  encoding: 'hex',
  header: 'x-signature',
  value: '{signature}',
  timestamp: { header: 'x-timestamp', format: 'unix-seconds', tolerance: 300 },
};

/** Returns why a request is not authentic, or `authentic`. */
async function verify(key: string, { method, url, headers, body }: Received): Promise<string> {
  const verification = await createVerifier(scheme, { keys: [key] }).verify({
    method: method ?? '',
    url: url ?? '',
    headers: (name) => {
      const value = headers[name];
      return value === undefined ? [] : [value].flat();
    },
    body: Buffer.from(body),
  });
  return verification.ok ? 'authentic' : verification.reason;
}

describe('trigger', () => {
  it('sends the first example to the path of its label, signed', async () => {
    const { url, received } = await receive();
    const deliverer = createTestDeliverer({ to: url });
    const delivery = await deliverer.trigger('parcelSent', { headers: { 'x-more': 'yes' } });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/hooks/parcels/PARCEL00000001/office',
        headers: { 'content-type': 'application/json', 'x-kind': 'sent', 'x-more': 'yes' },
        body: '{"id":"PARCEL00000001","status":"SENT","weight":2.5}',
      },
    ]);
    const [request] = received;
    if (request === undefined) throw new Error('Nothing was received.');
    expect(await verify(deliverer.credentials['signingKey'] ?? '', request)).toBe('authentic');
    expect(delivery).toMatchObject({
      kind: 'parcelSent',
      state: 'acknowledged',
      attempts: [
        {
          id: 1,
          type: 'delivery',
          attempt: 1,
          example: 'one',
          faults: [],
          violations: [],
          isAcknowledged: true,
          response: { status: 200, body: { text: 'status 200' } },
        },
      ],
    });
    expect(deliverer.list()).toEqual([delivery]);
  });
});
