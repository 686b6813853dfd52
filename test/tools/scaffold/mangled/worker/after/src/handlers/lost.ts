import type { LostEvent, DeliveryContext } from '@parcels/webhooks-cloudflare';

/** A parcel was lost. */
export function onLost(event: LostEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
