import { createWebhooksListener, sharedSecret, type Handlers } from '@parcels/webhooks-node';

const handlers: Handlers = { ...others(), created() {} };

function others(): Handlers {
  return { ...handlers };
}

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: handlers,
  otherwise() {},
  onInvalid() {},
});
