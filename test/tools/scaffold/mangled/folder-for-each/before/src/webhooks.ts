import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './parcels/created/index.js';
import { onMoved } from './parcels/moved/index.js';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved,
  },
  otherwise() {},
  onInvalid() {},
});
