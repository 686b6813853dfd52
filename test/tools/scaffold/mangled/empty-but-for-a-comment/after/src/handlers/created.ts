import type { CreatedEvent, DeliveryContext } from '@parcels/webhooks-node';

/** A parcel was created. */
export function onCreated(event: CreatedEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
