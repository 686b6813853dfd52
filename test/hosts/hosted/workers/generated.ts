import { createWebhooksWorker } from '@instant-payment/webhooks-cloudflare';
import { options } from './options.ts';

export { webhooks } from './webhooks.ts';
export default createWebhooksWorker((_env: Env) => options);
