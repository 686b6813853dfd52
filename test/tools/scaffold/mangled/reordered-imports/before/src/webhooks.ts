import { onMoved } from './handlers/moved.ts';
import { onCreated } from './handlers/created.ts';
import { sharedSecret, createWebhooksListener } from '@parcels/webhooks-node';
import { readFileSync } from 'node:fs';

const secret = readFileSync('secret', 'utf8');
import './first.ts';

export const webhooks = createWebhooksListener({
  onInvalid() {},
  otherwise() {},
  on: {
    moved: onMoved,
    created: onCreated,
  },
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, secret),
});
