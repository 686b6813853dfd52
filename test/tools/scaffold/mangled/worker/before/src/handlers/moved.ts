import type { MovedEvent, DeliveryContext } from '@parcels/webhooks-cloudflare';

export function onMoved(event: MovedEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
