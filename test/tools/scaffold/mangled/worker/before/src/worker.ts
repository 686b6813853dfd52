import { createWebhooksWorker, sharedSecret } from '@parcels/webhooks-cloudflare';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';

export default createWebhooksWorker((env: { SECRET: string }) => {
  const authenticate = sharedSecret({ header: 'x-webhook-secret' }, env.SECRET);
  return {
    authenticate,
    on: { created: onCreated, moved: onMoved },
    otherwise() {},
    onInvalid() {},
  };
});
