import { toExportedHandler } from '@instant-payment/webhooks-cloudflare/adapter';
import { webhooksOf } from './webhooks.ts';

export default toExportedHandler((env: Env) => webhooksOf(env).receive);
