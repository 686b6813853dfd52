import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node'; import { onCreated } from './handlers/created.ts'; import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts'; const authenticate = sharedSecret({ header: 'x-webhook-secret' }, 'secret');
export const webhooks = createWebhooksListener({ authenticate, on: { created: onCreated, moved: onMoved /* in transit */, lost: onLost, returned: onReturned }, otherwise() {}, onInvalid() {} });
