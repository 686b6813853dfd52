import { createWebhooks, sharedSecret } from '@instant-payment/webhooks';

/** A receiver that is made when its module is loaded, of a secret that has to be there by then. */
export const webhooks = createWebhooks({
  authenticate: sharedSecret({ header: 'x-secret' }, process.env['WEBHOOK_SECRET'] ?? ''),
  on: {},
  otherwise: { rest: () => undefined },
  onInvalid: () => undefined,
});
