import { createServer } from 'node:http';
import { toNodeHandler } from '@countersign/webhooks/node';
import { createWebhooks, sharedSecret } from '@parcels/webhooks-node';

const { receive } = createWebhooks({
  authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
  on: {
    created: ({ kind }) => console.log(kind),
    moved: ({ kind }) => console.log(kind),
  },
  otherwise: ({ kind }) => console.log(kind),
  onInvalid: ({ kinds }) => console.log(kinds),
});

createServer(toNodeHandler(receive)).listen(8080);
