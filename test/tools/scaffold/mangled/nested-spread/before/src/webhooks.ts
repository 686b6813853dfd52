import { createWebhooksListener, sharedSecret, type WebhookOptions } from '@parcels/webhooks-node';
import first from './first.ts';
import { onMoved } from './handlers/moved.ts';

const second = { ...first, ...{ moved: onMoved } };

const base = { authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'), onInvalid() {} } satisfies Partial<WebhookOptions>;

export const webhooks = createWebhooksListener({
  ...base,
  on: { ...second },
  otherwise() {},
});
