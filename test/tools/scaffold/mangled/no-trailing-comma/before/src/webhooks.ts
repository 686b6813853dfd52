import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved // no comma here
    // nor here
  },
  otherwise() {},
  onInvalid() {},
});
