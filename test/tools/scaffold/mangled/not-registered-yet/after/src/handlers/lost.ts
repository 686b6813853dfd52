import type { LostEvent, DeliveryContext } from '@parcels/webhooks-node';

export function onLost(event: LostEvent, context: DeliveryContext): void {
  throw new Error(`${event.kind} ${context.id}: look for it`);
}
