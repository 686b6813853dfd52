import type { ReturnedEvent, DeliveryContext } from '@parcels/webhooks-node';

/** A parcel was returned. */
export function onReturned(event: ReturnedEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
