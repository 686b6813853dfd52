import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: { created: onCreated },
  otherwise: { rest: (event) => console.log(event.kind) },
  onInvalid() {},
});
