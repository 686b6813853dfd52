import { createServer } from 'node:http';
import { createWebhooksListener as listen, sharedSecret } from '@parcels/webhooks-node';
import { track } from './parcels/track';
import { register as registerParcel } from './parcels/register';

createServer(
  listen({
    authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
    on: {
      moved: track,
      created: registerParcel,
    },
    otherwise() {},
    onInvalid() {},
  }),
).listen(8080);
