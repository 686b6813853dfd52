import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';

/** A receiver whose secret is needed with the first delivery, and not when the build loads its module. */
export const webhooks = createWebhooks(() => ({
  authenticate: sharedSecret({ header: 'x-secret' }, process.env['WEBHOOK_SECRET'] ?? ''),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
}));
