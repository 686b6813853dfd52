import { createWebhooksListener, sharedSecret } from '@parcels/webhooks-node'
import { onCreated } from './handlers/created.ts'
import { onMoved } from './handlers/moved.ts'
import { onLost } from './handlers/lost.ts'
import { onReturned } from './handlers/returned.ts'

export const webhooks = createWebhooksListener(
  { authenticate: sharedSecret({ header: 'x-webhook-secret' }, 'secret')
  , on:
      { created: onCreated
      , moved: onMoved,
        lost: onLost,
        returned: onReturned
      }
  , otherwise() {}
  , onInvalid() {}
  })
