import type { CreatedEvent, DeliveryContext } from '@parcels/webhooks-node';

export function onCreated(event: CreatedEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
