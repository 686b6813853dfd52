import type { LostEvent, DeliveryContext } from '@parcels/webhooks-node';

/** A parcel was lost. */
export function onLost(event: LostEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
