import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atPublicOrigin, WebhookError } from '../../../packages/webhooks/src/index.ts';
import { importWebhooks, type ImportedWebhooks } from './generated-webhooks.ts';
import { apikey, signingKey } from './workbench.ts';

const publicOrigin = 'https://hooks.example.com';
const open = { signedPath: 'whole-url' } as const;

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

describe('a signature over the whole URL', () => {
  const trusted = { keys: [signingKey], headers: { apikey } };

  test('is refused when the receiver is made, unless it has a public origin', () => {
    const { verifySignature } = imported.main;
    expect(() => verifySignature({ ...trusted, ...open })).toThrow(WebhookError);
    expect(() => verifySignature({ ...trusted, ...open })).toThrow(/publicOrigin/);
    expect(() => verifySignature({ ...trusted, ...open, publicOrigin })).not.toThrow();
    for (const signedPath of [undefined, 'path', 'path-and-query'] as const)
      expect(() =>
        verifySignature({ ...trusted, ...(signedPath && { signedPath }) }),
      ).not.toThrow();
  });

  test.each([
    [publicOrigin, 200],
    ['https://other.example.com', 401],
    ['http://hooks.example.com', 401],
  ])('made for %s is answered with %d', async (origin, status) => {
    const { createWebhooks, verifySignature } = imported.main;
    const { createSignatureSigner, deliver } = imported.testing;
    const webhooks = createWebhooks({
      authenticate: verifySignature({ ...trusted, ...open, publicOrigin }),
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: () => undefined,
    });
    const delivery = await deliver('charge', {
      url: `${origin}/some/hook?a=1`,
      headers: { apikey },
      signer: createSignatureSigner({ ...open, key: signingKey }),
    });
    // A proxy hands it on under an address of its own.
    const { pathname, search } = new URL(delivery.url);
    const inside = new Request(`http://10.0.0.1:8080${pathname}${search}`, delivery);
    expect((await webhooks.fetch(inside)).status).toBe(status);
  });
});

test.each([
  ['/a?b=c', `${publicOrigin}/a?b=c`],
  ['/', `${publicOrigin}/`],
  ['http://other.example.com/a?b=c', `${publicOrigin}/a?b=c`],
])('an authentication at a public origin sees %s as %s', async (url, seen) => {
  const urls: string[] = [];
  const authenticate = atPublicOrigin(publicOrigin, (request) => {
    urls.push(request.url);
    return true;
  });
  const body = new Uint8Array();
  expect(await authenticate({ method: 'POST', url, headers: () => [], body })).toBe(true);
  expect(urls).toEqual([seen]);
});

test.each([
  undefined,
  '',
  'hooks.example.com',
  'https://',
  'https://hooks.example.com/',
  'https://hooks.example.com/path',
  'https://user@hooks.example.com',
  'ftp://hooks.example.com',
  'https://hooks example.com',
])('%j is no public origin', (origin) => {
  expect(() => atPublicOrigin(origin, () => true)).toThrow(WebhookError);
});
