import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onLost } from './handlers/lost.ts';
import { onMoved } from './handlers/moved.ts';
import { onReturned } from './handlers/returned.ts';
import { onSold } from './handlers/sold.ts';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved,
    sold: onSold,
    lost: onLost,
    returned: onReturned,
  },
  otherwise() {},
  onInvalid() {},
});
