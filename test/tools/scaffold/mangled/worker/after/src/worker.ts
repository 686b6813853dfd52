import { createWebhooksWorker, sharedSecret } from '@parcels/webhooks-cloudflare';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

export default createWebhooksWorker((env: { SECRET: string }) => {
  const authenticate = sharedSecret({ header: 'x-webhook-secret' }, env.SECRET);
  return {
    authenticate,
    on: { created: onCreated, moved: onMoved, lost: onLost, returned: onReturned },
    otherwise() {},
    onInvalid() {},
  };
});
