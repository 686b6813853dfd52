import type { ChangeAction, ChangePreview } from './change.ts';
import type { EventState } from './event-state.ts';
import type { Receipt, Replacement, StoreResult } from './receipt.ts';
import type { Rejection } from './rejection.ts';

/** The longest lease. The claim of a killed worker is free again after this time at the latest. */
export const maxLeaseMs = 30_000;

/** An event as operators see it, without its payload. */
export interface InboxEvent {
  /** Stable over all attempts: an idempotency key for effects outside the store. */
  readonly id: string;
  readonly receiptId: string;
  /** The index of the event among the events of its delivery. */
  readonly position: number;
  /** The number of events of its delivery, with those that were duplicates. */
  readonly count: number;
  readonly kind: string | undefined;
  readonly orderKey: string | undefined;
  readonly identity: string | undefined;
  /** Whether a worker identified the event, because its receiver could not. */
  readonly identified: boolean;
  /** The receiver's result for the delivery. */
  readonly verdict: string | undefined;
  readonly receivedAt: number;
  readonly state: EventState;
  /** How many attempts failed. An attempt whose process was killed is not among them. */
  readonly attempts: number;
  /** How many attempts ended without a result: the process was killed or lost its lease. */
  readonly interruptions: number;
  /** How many attempts in a row ended without a result. After the first one, a worker runs the event alone. */
  readonly interruptionsInRow: number;
  /** The time before which a failed event is not claimed. */
  readonly retryAt: number | undefined;
  /** The description of the last failure: the class and the code of its error, or the reason that its handler gave. */
  readonly error: string | undefined;
  /** How the delivery violates the contract, if that was the last failure. */
  readonly rejection: Rejection | undefined;
  /** When the last attempt failed. */
  readonly failedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** The end of the lease of the worker that handles the event. */
  readonly leaseUntil: number | undefined;
  /** What a waiting event waits for. Claims do not have it. */
  readonly waitsFor: Blocker | undefined;
}

/** The event of the same key that another event waits for. */
export interface Blocker {
  readonly id: string;
  readonly kind: string | undefined;
  /** `dead`: until an operator decides. `ready`: until a worker is free. */
  readonly state: EventState;
  /** The end of its lease if it is in work, or the time of its next attempt if it failed. */
  readonly until: number | undefined;
}

/** A failed attempt, as it is recorded. */
export interface Failure {
  readonly error: string;
  readonly rejection?: Rejection | undefined;
}

/** An event with the delivery that contains it. */
export interface InboxEventWithPayload extends InboxEvent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A worker's exclusive right to handle an event until its lease ends. */
export interface Claim {
  readonly event: InboxEventWithPayload;
  /** Distinguishes this claim from earlier and later claims of the event. */
  readonly token: number;
  /** Whether the stored delivery cannot be read. The payload of the event is then empty, and it cannot be handled. */
  readonly unreadable?: boolean;
}

/** What a worker claims at most of one kind. */
export interface KindShare {
  readonly kind: string;
  /** The maximum number of events. */
  readonly maxEvents: number;
  /** The number of failed events that are claimed before any first attempt of the kind. */
  readonly minRetries: number;
  /** The maximum number of failed events. */
  readonly maxRetries: number;
}

/** Identifies one call of `onDeadLetter` for a dead letter. A letter that is retried and dies again has other ones. */
export interface AlertReference {
  /** The id of the event. */
  readonly id: string;
  /** The token of the claim with which it became a dead letter. */
  readonly token: number;
  /** 1 for the first call. */
  readonly attempt: number;
}

/** A dead letter whose alert has to be given. */
export interface DeadLetterAlert {
  /** The event. Its payload is empty if it cannot be read. */
  readonly event: InboxEventWithPayload;
  readonly reference: AlertReference;
}

/**
 * Which of the events that can be claimed alone are claimed. An event whose last interruption was an hour ago always is:
 * workers that never run for long would otherwise leave it for ever.
 */
export interface InterruptedSelection {
  /** Claims events that were interrupted at most so many times in a row. */
  readonly maxInRow: number;
  /** Claims events that were interrupted at least so many times in a row: they become dead letters without an attempt. */
  readonly deadFrom: number;
}

/** How long ago the last interruption of an event is that is claimed alone whatever the selection is. */
export const interruptionRestMs = 3_600_000;

/** Which events a worker claims. */
export interface ClaimRequest {
  readonly owner: string;
  /** The maximum number of events. */
  readonly maxEvents: number;
  readonly leaseMs: number;
  /** The number of failed events that are claimed before any first attempt. Default: a quarter of `maxEvents`. */
  readonly minRetries?: number;
  /** The maximum number of failed events. Default: `maxEvents`. */
  readonly maxRetries?: number;
  /**
   * What happens to events whose last attempt was interrupted. `none`: they are not claimed. `alone`: one of them is
   * claimed and nothing else, if there is one. `any`: they are claimed like others. Default: `any`.
   */
  readonly interrupted?: 'none' | 'alone' | 'any';
  /** Which events are claimed `alone`. Default: all that were interrupted. */
  readonly alone?: InterruptedSelection;
  /**
   * The kinds that have their own limits, within those of all; not for an event that is claimed alone. Other kinds
   * are claimed however many events of these wait. Default: none.
   */
  readonly kinds?: readonly KindShare[];
}

/** The number and the age of the events of a store. */
export interface InboxStats {
  readonly byState: Readonly<Record<EventState, number>>;
  /** The events that are not finished: `ready`, `waiting`, `retry` and `working`. */
  readonly depth: number;
  /** Those of them that can be handled now, and those that wait only for events that can. */
  readonly backlog: number;
  /** The keys that wait for a later attempt, or for an operator who decides about a dead letter. */
  readonly blockedKeys: number;
  /** The events that failed and are not finished, and the dead ones. */
  readonly failed: number;
  /** Milliseconds for which the oldest event waits that can be handled or is in work. Undefined if there is none. */
  readonly oldestAgeMs: number | undefined;
  /** Deliveries of events that were stored before, as far as their identities are remembered. */
  readonly duplicates: number;
  /** Attempts that ended without a result, because the process ended or lost its lease. */
  readonly interruptions: number;
}

/** Selects events. Every condition has to hold. */
export interface EventFilter {
  readonly ids?: readonly string[];
  readonly state?: EventState;
  readonly kind?: string;
  readonly orderKey?: string;
  /** Events that were received at this time or later. */
  readonly receivedAfter?: number;
  /** Events that were received before this time. */
  readonly receivedBefore?: number;
  /** Events whose last failed attempt was at this time or later. */
  readonly failedAfter?: number;
}

/** Which part of a list is returned. */
export interface PageRequest {
  /** The maximum number of events. Default: 100. */
  readonly pageSize?: number;
  /** `next` of the page before, or the identifier of an event, after which the list continues. */
  readonly after?: string;
  /** Whether the list begins with the newest or the oldest event. Default: `oldest`. */
  readonly first?: 'newest' | 'oldest';
}

/** A page of a list of events. */
export interface EventPage {
  readonly events: readonly InboxEvent[];
  /** Continues the list, also if its last event is deleted meanwhile. Undefined on the last page. */
  readonly next: string | undefined;
}

/** What an operator did, as it is recorded. */
export interface AuditRecord {
  readonly at: number;
  readonly by: string;
  readonly action: 'retry' | 'replay' | 'discard' | 'reveal' | 'delete';
  /** Undefined if the action concerned no single event. */
  readonly eventId: string | undefined;
  readonly detail: string | undefined;
}

/** Selects what is deleted. */
export interface DeletionRequest {
  /** Deletes receipts whose events were all finished before this time. */
  readonly finishedBefore?: number;
  /** Restricts the deletion to receipts with an event of this key. */
  readonly orderKey?: string;
  /** Includes dead events. Default: false. */
  readonly dead?: boolean;
  /** Forgets identities that were stored before this time. Their events can be stored again. */
  readonly identitiesBefore?: number;
  /** The maximum number of receipts, and of identities, that one call deletes. Default: 1,000. */
  readonly maxDeleted?: number;
}

/** The result of a deletion. If a number equals `maxDeleted`, call again. */
export interface DeletionResult {
  readonly receipts: number;
  readonly identities: number;
}

/** What operators do with a store. */
export interface InboxOperations {
  stats(): Promise<InboxStats>;
  /**
   * Returns a page of events. With `first: 'newest'`, events that are stored meanwhile are on none of the further pages.
   * @throws InboxError `invalid-option` if there is no event to continue after
   */
  list(filter?: EventFilter, page?: PageRequest): Promise<EventPage>;
  get(id: string): Promise<InboxEvent | undefined>;
  /** Returns an event with its payload, and records who read it. */
  reveal(id: string, by: string): Promise<InboxEventWithPayload | undefined>;
  /** Returns what an action would change now. */
  preview(action: ChangeAction, filter: EventFilter): Promise<ChangePreview>;
  /**
   * Makes failed and dead events claimable now, with new attempts. Includes a discarded event only if `ids` of the
   * filter names it alone. Returns how many.
   */
  retry(filter: EventFilter, by: string): Promise<number>;
  /** Does the same for every event that is not in work, handled ones included. Returns how many. */
  replay(filter: EventFilter, by: string): Promise<number>;
  /** Removes events from the queue that are not finished and not in work. Returns how many. */
  discard(filter: EventFilter, by: string): Promise<number>;
  /** Deletes payloads and identities. */
  delete(request: DeletionRequest, by: string): Promise<DeletionResult>;
  /** Returns the newest records of what operators did, newest first. */
  audit(pageSize?: number): Promise<readonly AuditRecord[]>;
  /** Deletes the oldest records of what operators did, at most `maxDeleted` of them. Returns how many. */
  pruneAudit(request: AuditPruning): Promise<number>;
}

/** Selects the records of what operators did that are deleted. */
export interface AuditPruning {
  /** Deletes records of actions before this time. */
  readonly before: number;
  /** The number of newest records to which the others are limited. */
  readonly maxRecords: number;
  readonly maxDeleted: number;
}

/**
 * Stores deliveries, and hands their events to workers.
 *
 * `Scope` is what the store gives to a handler beside the event, for example an open transaction. `Result` is what a
 * handler returns, once or several times. Every method rejects with the InboxError `store-failed` if the store is not available, and with
 * `closed` after `close`.
 */
export interface InboxStore<Scope, Result> extends InboxOperations {
  /**
   * Commits a receipt with all its events. Resolves after the commit is durable.
   * @throws InboxError `backlog-full` if the new events would make `backlog` of the statistics exceed `maxBacklogEvents`
   */
  receive(
    receipt: Receipt,
    options?: { maxBacklogEvents?: number },
  ): Promise<readonly StoreResult[]>;
  /**
   * Writes and deletes a receipt in one durable transaction. Rejects as `receive` would: a full disk, an unavailable
   * server, another version of the schema.
   */
  tryToStore(): Promise<void>;
  /**
   * Claims up to `maxEvents` events: the first unfinished event of each key in commit order, and events without a key. The
   * claims of workers whose leases ended are free again. First attempts go before further ones, `minRetries` aside.
   * The number of events that a claim reads depends neither on the length of the queue nor on that of a kind.
   */
  claim(request: ClaimRequest): Promise<readonly Claim[]>;
  /** Returns whether there is an event of the selection that can be claimed and whose last attempt was interrupted. */
  hasInterrupted(alone?: InterruptedSelection): Promise<boolean>;
  /** Renews leases. Returns the identifiers of the events whose claims were lost. */
  extend(claims: readonly Claim[], leaseMs: number): Promise<readonly string[]>;
  /**
   * Runs a handler and completes the event with its result, or replaces it by the events of its delivery.
   * Returns `lost`, and applies no effect, if the claim was lost.
   * If it rejects, the claim is still held. It rejects with the error of the handler or of its effect; with
   * `connection-lost` if the connection of the handler ended, for whatever reason; and with `store-failed`, or another
   * code that is not the handler's, only if the store's own work failed. An effect that fails with an InboxError is
   * `transaction-failed`, with that error as its cause.
   */
  complete(
    claim: Claim,
    handle: (scope: Scope) => Promise<Result | readonly Result[] | Replacement>,
  ): Promise<'completed' | 'replaced' | 'lost'>;
  /** Records a failed attempt. The event, and with it its key, waits until `at`. */
  fail(claim: Claim, failure: Failure & { readonly at: number }): Promise<'recorded' | 'lost'>;
  /**
   * Records the last failed attempt. With `skip`, the next event of the key is handled; with `wait`, none is. With
   * `alertLeaseMs`, the caller gives the first alert, with the token of the claim, and `claimAlert` does not return it
   * before this time is over.
   */
  bury(
    claim: Claim,
    failure: Failure & {
      readonly afterDeadLetter: 'wait' | 'skip';
      readonly alertLeaseMs?: number;
    },
  ): Promise<'recorded' | 'lost'>;
  /**
   * Returns a dead letter whose alert was not given yet, and keeps it from other callers for `leaseMs`: those that were
   * never tried go first, oldest first. Undefined if there is none that is due.
   */
  claimAlert(leaseMs: number): Promise<DeadLetterAlert | undefined>;
  /**
   * Records that an alert was given; with `retryAfterMs`, that it failed and has to be given again after this time. Does
   * nothing if another caller has the alert, or the event has left the state `dead`.
   */
  settleAlert(alert: AlertReference, outcome: 'given' | { retryAfterMs: number }): Promise<void>;
  /** Returns events that were not handled. This does not count as an attempt. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Calls a function after this process has stored events. Returns a function that ends the subscription. */
  onStored(listener: () => void): () => void;
  /** Waits for operations in progress, and closes the store. */
  close(): Promise<void>;
}
