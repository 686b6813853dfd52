import { createWebhooksListener, type WebhookOptions } from '@parcels/webhooks-node';

export function listen(options: WebhookOptions) {
  return createWebhooksListener({ ...options, on: options.on });
}
