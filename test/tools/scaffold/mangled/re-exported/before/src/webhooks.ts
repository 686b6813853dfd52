import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { kinds } from './lib/index.ts';

const options = { authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'), on: kinds.parcels, otherwise() {}, onInvalid() {} };

export const webhooks = createWebhooksListener(options);
