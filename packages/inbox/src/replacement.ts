import { InboxError } from './inbox-error.ts';
import { eventId } from './receipt-id.ts';
import type { DeliveryContent, ReceivedEvent, Replacement } from './receipt.ts';

/** An event of a delivery that a worker identified. */
export type IdentifiedEvent = ReceivedEvent & { readonly position: number };

/** Returns whether the result of a handler replaces its event. */
export function isReplacement(result: unknown): result is Replacement {
  return typeof result === 'object' && result !== null && 'replaceBy' in result;
}

/**
 * Checks what a delivery contains.
 * @throws InboxError `invalid-option` for a delivery without events, or positions that are repeated or out of range
 */
export function checkContent({ count, events }: DeliveryContent): void {
  const positions = new Set(events.map(({ position }) => position));
  const arePositionsValid = [...positions].every(
    (position) => Number.isSafeInteger(position) && position >= 0 && position < count,
  );
  if (events.length === 0 || positions.size !== events.length || !arePositionsValid)
    throw new InboxError(
      'invalid-option',
      'A delivery must be replaced by at least one event, with positions from 0 to below `count`',
    );
}

/**
 * Returns the events whose identities are new, and the identities of the others.
 * @param ownerOf returns the identifier of the event that an identity was stored with first, if there is one
 */
export function withoutRepetitions<Event extends IdentifiedEvent>(
  receiptId: string,
  events: readonly Event[],
  ownerOf: (identity: string) => string | undefined,
): { readonly fresh: readonly Event[]; readonly repeated: readonly string[] } {
  const fresh: Event[] = [];
  const repeated: string[] = [];
  const ofDelivery = new Set<string>();
  for (const event of events) {
    const { identity } = event;
    const owner = identity === undefined ? undefined : ownerOf(identity);
    // The event that is replaced can have the identity already.
    const isOwn = owner === undefined || owner === eventId(receiptId, 0);
    if (identity === undefined || (isOwn && !ofDelivery.has(identity))) fresh.push(event);
    else repeated.push(identity);
    if (identity !== undefined) ofDelivery.add(identity);
  }
  return { fresh: fresh.toSorted((a, b) => a.position - b.position), repeated };
}
