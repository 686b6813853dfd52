import type { MovedEvent, DeliveryContext } from '@parcels/webhooks-node';

export function track(event: MovedEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
