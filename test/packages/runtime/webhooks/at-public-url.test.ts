import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atPublicUrl,
  type DeliveryRecord,
  type PublicUrl,
  type Receive,
  WebhookError,
} from '../../../../packages/runtime/webhooks/receiver.ts';
import { adapters } from './adapters.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { apikey, signingKey } from './workbench.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

const trusted = { keys: [signingKey], headers: { apikey } };
const signedPaths = ['path', 'path-and-query', 'host-and-path', 'whole-url'] as const;
type SignedPath = (typeof signedPaths)[number];

/** Creates a receiver that verifies the contract's signature. */
function receiverOf(
  signedPath: SignedPath,
  publicUrl: PublicUrl,
  records: DeliveryRecord[] = [],
): Receive {
  const { createWebhooks, verifySignature } = imported.main;
  return createWebhooks({
    authenticate: verifySignature({ ...trusted, signedPath, publicUrl }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
    onEvent: (record: DeliveryRecord) => records.push(record),
  }).receive;
}

/** Signs a delivery for one URL and sends it to another, as a proxy does. Returns the status. */
async function passOn(
  port: number,
  signedPath: SignedPath,
  [called, received]: readonly [string, string],
): Promise<number> {
  const { createSignatureSigner, deliver } = imported.testing;
  const signer = createSignatureSigner({ signedPath, key: signingKey });
  const url = `${called}/hook?a=1`;
  const delivery = await deliver('charge', { url, headers: { apikey }, signer });
  const target = delivery.url.replace(called, received);
  const headers = {
    ...Object.fromEntries(delivery.headers),
    // None of them is trusted.
    'x-forwarded-host': 'evil.example.com',
    'x-forwarded-prefix': '/evil',
  };
  const body = await delivery.text();
  const address = `http://127.0.0.1:${port}${target}`;
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

const proxies: readonly (readonly [string, PublicUrl, called: string, received: string])[] = [
  ['removes a prefix', 'https://example.com/api', 'https://example.com/api', ''],
  [
    'adds a prefix',
    { received: '/stage', called: 'https://example.com' },
    'https://example.com',
    '/stage',
  ],
  [
    'replaces a prefix',
    { received: '/internal', called: 'https://example.com/v1/pay' },
    'https://example.com/v1/pay',
    '/internal',
  ],
];

describe.each(adapters)('behind $name', (adapter) => {
  test.each(proxies)(
    'a signed URL whose proxy %s is verified',
    async (_what, publicUrl, called, received) => {
      for (const signedPath of signedPaths) {
        await using served = await adapter.serve(receiverOf(signedPath, publicUrl));
        const { port } = served;
        const status = await passOn(port, signedPath, [called, received]);
        const other = await passOn(port, signedPath, [`${called}/other`, received]);
        expect([signedPath, status, other]).toEqual([signedPath, 200, 401]);
      }
    },
  );
});

test('an inbox stores the path that arrived', async () => {
  const { createWebhooks, verifySignature } = imported.main;
  const targets: string[] = [];
  const authenticate = verifySignature({ ...trusted, publicUrl: '/api' });
  const { receive } = createWebhooks({
    authenticate,
    inbox: {
      receive: async ({ target }: { readonly target: string }) => {
        targets.push(target);
        return { status: 'stored' };
      },
    },
  });
  const { createSignatureSigner, deliver } = imported.testing;
  const signer = createSignatureSigner({ key: signingKey });
  const url = 'https://example.com/api';
  const delivery = await deliver('charge', { url, headers: { apikey }, signer });
  const body = new Uint8Array(await delivery.arrayBuffer());
  const { status } = await receive({
    method: 'POST',
    target: new URL(delivery.url).pathname.slice('/api'.length),
    headers: (name: string) => [delivery.headers.get(name) ?? []].flat(),
    read: () => body,
  });
  expect([status, targets]).toEqual([200, ['/v1/apm/pix/charges']]);
});

describe('a public URL', () => {
  const path = ['$url.path', '$request.body'];
  const host = ['$url', '$request.body'];

  test.each<readonly [string, PublicUrl | undefined, readonly unknown[], RegExp]>([
    ['is missing where the host is signed', undefined, host, /covers the host/],
    ['is missing where host and path are signed', undefined, ['$url.host+path'], /covers the host/],
    ['has no host where that is signed', '/api', host, /must begin with https/],
    ['is not an address', 'example.com', host, /must be an address/],
    [
      'has no effect without a path',
      'https://example.com',
      path,
      /does not change the signed path/,
    ],
    ['changes nothing', { received: '/a', called: '/a' }, path, /does not change the signed path/],
    ['has no effect on a signature over the body', '/api', ['$request.body'], /no part of the URL/],
  ])('that %s is refused', (_what, publicUrl, over, message) => {
    const create = (): unknown => atPublicUrl(publicUrl, over, () => true);
    expect(create).toThrow(WebhookError);
    expect(create).toThrow(message);
  });

  test('is not needed where only the path is signed', () => {
    const authenticate = (): boolean => true;
    expect(atPublicUrl(undefined, path, authenticate)).toBe(authenticate);
  });

  test('is an option of generated functions, which refuse one without effect', () => {
    const { verifySignature } = imported.main;
    for (const signedPath of ['host-and-path', 'whole-url'] as const)
      expect(() => verifySignature({ ...trusted, signedPath })).toThrow(/`publicUrl`/);
    for (const signedPath of ['path', 'path-and-query'] as const) {
      const options = { ...trusted, signedPath };
      expect(() => verifySignature(options)).not.toThrow();
      expect(() => verifySignature({ ...options, publicUrl: 'https://example.com' })).toThrow(
        /no effect/,
      );
    }
  });
});
