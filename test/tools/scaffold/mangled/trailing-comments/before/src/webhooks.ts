import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node'; // generated
import { onCreated } from './handlers/created.ts'; // ours
import { onMoved } from './handlers/moved.ts'; /* ours too */ // really

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated, // the first
    moved: onMoved, // the last
    // nothing after this, please
  },
  otherwise() {},
  onInvalid() {},
});
