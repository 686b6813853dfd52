import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';

const kind = process.env['KIND'] ?? 'created';

export const webhooks = createWebhooksListener({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: { [kind]: onCreated, moved: onMoved },
  otherwise() {},
  onInvalid() {},
});
