import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './created.mjs';
import { onMoved } from './moved.mjs';
import { onLost } from './lost.mjs';
import { onReturned } from './returned.mjs';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved,
    lost: onLost,
    returned: onReturned,
  },
  otherwise() {},
  onInvalid() {},
});
