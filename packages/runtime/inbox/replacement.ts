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

/** An identity that is stored, and the identifier of the event that it was stored with first. */
export interface StoredIdentity {
  readonly identity: string;
  readonly owner: string;
}

/** Returns the identity of an event that is stored already: its own, or the one that it had in an earlier version. */
export function storedIdentityOf(
  { identity, formerIdentity }: ReceivedEvent,
  ownerOf: (identity: string) => string | undefined,
): StoredIdentity | undefined {
  for (const stored of [identity, formerIdentity]) {
    const owner = stored === undefined ? undefined : ownerOf(stored);
    if (stored !== undefined && owner !== undefined) return { identity: stored, owner };
  }
  return undefined;
}

/**
 * Returns the events whose identities are new, and the stored identities of the others.
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
    const stored = storedIdentityOf(event, ownerOf);
    // The event that is replaced can have the identity already.
    const isOwn = stored === undefined || stored.owner === eventId(receiptId, 0);
    if (identity === undefined || (isOwn && !ofDelivery.has(identity))) fresh.push(event);
    else repeated.push(stored?.identity ?? identity);
    if (identity !== undefined) ofDelivery.add(identity);
  }
  return { fresh: fresh.toSorted((a, b) => a.position - b.position), repeated };
}
