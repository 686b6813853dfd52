import { handlers } from '@depot/handlers';
import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: { ...handlers },
  otherwise() {},
  onInvalid() {},
});
