import { createWebhooksListener, sharedSecret, type WebhookOptions } from '@parcels/webhooks-node';
import first from './first.ts';
import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

const second = { ...first, ...{ moved: onMoved } };

const base = { authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'), onInvalid() {} } satisfies Partial<WebhookOptions>;

export const webhooks = createWebhooksListener({
  ...base,
  on: { ...second, lost: onLost, returned: onReturned },
  otherwise() {},
});
