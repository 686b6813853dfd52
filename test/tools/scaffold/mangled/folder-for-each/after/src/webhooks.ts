import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './parcels/created/index.js';
import { onMoved } from './parcels/moved/index.js';
import { onLost } from './parcels/lost.js';
import { onReturned } from './parcels/returned.js';

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
