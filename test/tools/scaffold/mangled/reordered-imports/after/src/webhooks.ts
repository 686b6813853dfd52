import { onMoved } from './handlers/moved.ts';
import { onCreated } from './handlers/created.ts';
import { sharedSecret, createWebhooksListener } from '@parcels/webhooks-node';
import { readFileSync } from 'node:fs';

const secret = readFileSync('secret', 'utf8');
import './first.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

export const webhooks = createWebhooksListener({
  onInvalid() {},
  otherwise() {},
  on: {
    moved: onMoved,
    created: onCreated,
    lost: onLost,
    returned: onReturned,
  },
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, secret),
});
