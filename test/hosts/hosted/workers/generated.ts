import { createWebhooksHandler } from '@instant-payment/webhooks-cloudflare';
import { options } from './options.ts';

export { webhooks } from './webhooks.ts';
export default createWebhooksHandler((_env: Env) => options);
