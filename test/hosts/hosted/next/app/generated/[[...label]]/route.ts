import { createWebhooksRoute } from '@instant-payment/webhooks-nextjs';
import { options } from '@/options';

export const { GET, POST, PUT, PATCH, DELETE } = createWebhooksRoute(options);
