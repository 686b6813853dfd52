import type { SoldEvent, DeliveryContext } from '@parcels/webhooks-node';

export function onSold(event: SoldEvent, context: DeliveryContext): void {
  console.log('handled', event.kind, context.id);
}
