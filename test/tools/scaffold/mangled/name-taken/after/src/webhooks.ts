import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';
import { onLost as onLost2 } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

/** Whether anybody is told of what is lost. */
const onLost = false;

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: onCreated,
    moved: onMoved,
    lost: onLost2,
    returned: onReturned,
  },
  otherwise: () => onLost,
  onInvalid() {},
});
