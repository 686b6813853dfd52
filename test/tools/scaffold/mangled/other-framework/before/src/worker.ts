import { createWebhooksWorker, sharedSecret } from '@parcels/webhooks-cloudflare';

export default createWebhooksWorker({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {},
  otherwise() {},
  onInvalid() {},
});
