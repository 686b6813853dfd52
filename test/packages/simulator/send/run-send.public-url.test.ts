import { toNodeHandler } from '@countersign/runtime/webhooks/node';
import { createWebhooks, verifySignature } from '@instant-payment/webhooks';
import { describe, expect, it } from 'vitest';
import { listenForTest, receiveAll } from './listen.ts';
import { send } from './send.ts';

const environment = { WEBHOOK_SECRET: 'a very secret secret', API_KEY: 'key-of-the-caller' };
const signed = ['charge', '--sign', '--header-env', 'apikey=API_KEY'];
type PublicUrl = NonNullable<Parameters<typeof verifySignature>[0]['publicUrl']>;

/** Listens with a receiver behind a proxy that changes the path. */
async function receiver(publicUrl: PublicUrl): Promise<string> {
  const { receive } = createWebhooks({
    authenticate: verifySignature({
      keys: [environment.WEBHOOK_SECRET],
      headers: { apikey: environment.API_KEY },
      signedPath: 'path-and-query',
      publicUrl,
    }),
    on: {},
    otherwise: { rest: () => undefined },
    onInvalid: () => undefined,
  });
  return `${await listenForTest(toNodeHandler(receive))}/hooks?tenant=one`;
}

describe('countersign send --public-url', () => {
  it.each<readonly [string, PublicUrl, called: string]>([
    ['/api', '/api', '/api/hooks'],
    ['https://example.com/api', 'https://example.com/api', 'https://example.com/api/hooks'],
    [
      '/hooks=https://example.com/v1',
      { received: '/hooks', called: 'https://example.com/v1' },
      'https://example.com/v1',
    ],
  ])(
    'signs what senders call and connects to the receiver: %s',
    async (flag, publicUrl, called) => {
      const to = await receiver(publicUrl);
      const parameters = [...signed, '--to', to, '--answer', 'signed-path=path-and-query'];
      expect(await send(parameters, environment)).toMatchObject({ code: 1 });
      const delivery = await send([...parameters, '--public-url', flag, '--json'], environment);
      expect(delivery).toMatchObject({ code: 0 });
      const { results } = JSON.parse(delivery.out) as {
        results: readonly {
          readonly request: { readonly url: string; readonly signedUrl: string };
        }[];
      };
      expect(results[0]?.request).toMatchObject({
        url: to.replace('=one', '=…'),
        signedUrl: `${called}?tenant=…`,
      });
    },
  );

  it.each<readonly [string, readonly string[], string]>([
    ['no URL', [...signed, '--public-url', 'example.com'], '--public-url must be an address'],
    [
      'no effect',
      [...signed, '--public-url', 'https://example.com'],
      'does not change the signed path',
    ],
    ['no signature', ['charge', '--public-url', '/api'], 'the delivery is not signed'],
    [
      '--no-signature',
      ['charge', '--no-signature', '--public-url', '/api'],
      'the delivery is not signed',
    ],
  ])('refuses %s before it sends anything', async (_, parameters, message) => {
    const { url, received } = await receiveAll();
    const { code, error } = await send([...parameters, '--to', url], environment);
    expect({ code, received }).toEqual({ code: 2, received: [] });
    expect(error).toContain(message);
  });
});
