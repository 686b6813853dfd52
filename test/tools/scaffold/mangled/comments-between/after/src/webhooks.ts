import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';

// handlers
import { onCreated } from './handlers/created.ts';
// and the other one
import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';
// end of handlers

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    // beginnings
    created: onCreated,

    /* ends, and
       what comes between */
    moved: onMoved /* for now */,

    /**
     * lost: onLost, some day
     */
    lost: onLost,
    returned: onReturned,
  },
  otherwise() {},
  onInvalid() {},
});
