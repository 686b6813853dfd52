import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { handlers as on } from './kinds.ts';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on,
  otherwise() {},
  onInvalid() {},
});
