import * as receiving from '@parcels/webhooks-node';
import { onCreated } from './handlers/created.ts';
import { onMoved } from './handlers/moved.ts';
import { onLost } from './handlers/lost.ts';
import { onReturned } from './handlers/returned.ts';

export const webhooks = receiving.createWebhooksListener({
    authenticate: receiving.sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
    on: {
        // to come
        created: onCreated,
        moved: onMoved,
        lost: onLost,
        returned: onReturned,
    },
    otherwise() {},
    onInvalid() {},
});
