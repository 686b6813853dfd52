import { createServer } from 'node:http';
import { createWebhooksListener as listen, sharedSecret } from '@parcels/webhooks-node';
import { track } from './parcels/track';
import { register as registerParcel } from './parcels/register';
import { onLost } from './parcels/lost';
import { onReturned } from './parcels/returned';

createServer(
  listen({
    authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
    on: {
      moved: track,
      created: registerParcel,
      lost: onLost,
      returned: onReturned,
    },
    otherwise() {},
    onInvalid() {},
  }),
).listen(8080);
