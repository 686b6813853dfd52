import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './created.mjs';
import { onMoved } from './moved.mjs';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved,
  },
  otherwise() {},
  onInvalid() {},
});
