import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node';

const one = () => two();
const two = () => one();
const twice = { ...one(), ...twice, ...twice };

export const webhooks = createWebhooksListener({
  ...twice,
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: one(),
  otherwise() {},
  onInvalid() {},
});
