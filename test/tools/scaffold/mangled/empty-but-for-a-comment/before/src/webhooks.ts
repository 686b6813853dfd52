import * as receiving from '@parcels/webhooks-node';

export const webhooks = receiving.createWebhooksListener({
    authenticate: receiving.sharedSecret({ header: 'x-webhook-secret' }, 'secret'),
    on: {
        // to come
    },
    otherwise() {},
    onInvalid() {},
});
