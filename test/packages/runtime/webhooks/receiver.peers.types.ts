import type * as inbox from '@countersign/runtime/inbox';
import type * as replay from '@countersign/runtime/inbox/replay/redis';
import type * as signing from '@countersign/runtime/signing';
import type * as webhooks from '@countersign/runtime/webhooks';
import type * as worker from '@countersign/runtime/webhooks/stored-events';

/** `true` if each of two types is assignable to the other one, with all members. */
type Equal<A, B> = [A, B] extends [B, A]
  ? [Required<A>, Required<B>] extends [Required<B>, Required<A>]
    ? true
    : false
  : false;

/** `true` if the first type is assignable to the second one. */
type Fits<A, B> = [A] extends [B] ? true : false;

/** Compiled with everything else, never run: packages that do not import each other declare the same types. */
export const equal: readonly [
  Equal<webhooks.ReceivedEvent, inbox.ReceivedEvent>,
  Equal<webhooks.DeliveryContent, inbox.DeliveryContent>,
  Equal<webhooks.Replacement, inbox.Replacement>,
  Equal<webhooks.HeaderLookup, signing.HeaderLookup>,
] = [true, true, true, true];

/** A receiver gives more than an inbox requires, and an inbox gives a worker more than it requires. */
export const fitting: readonly [
  Fits<webhooks.StoredDelivery, inbox.InboxDelivery>,
  Fits<inbox.Inbox<unknown, unknown>, webhooks.DeliveryInbox>,
  Fits<inbox.InboxEventWithPayload, worker.StoredEvent>,
  Fits<inbox.HandlerContext, Parameters<ReturnType<typeof worker.createDispatcher>>[1]>,
  Fits<replay.ReplayStore, webhooks.ReplayStore>,
] = [true, true, true, true, true];
