// What an inbox stores, and the interface of its stores.

import { randomBytes } from 'node:crypto';
import { channel, type Channel } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { InboxError } from './errors.ts';

/**
 * The state of an event.
 *
 * - `ready`: can be claimed now.
 * - `waiting`: another event of its key is handled first.
 * - `retry`: failed, and is claimed again at a later time.
 * - `working`: claimed by a worker.
 * - `done`: handled.
 * - `dead`: failed as often as the worker permits.
 * - `discarded`: removed from the queue by an operator.
 */
export type EventState = 'ready' | 'waiting' | 'retry' | 'working' | 'done' | 'dead' | 'discarded';

/** Every state of an event. */
export const eventStates: readonly EventState[] = [
  'ready',
  'waiting',
  'retry',
  'working',
  'done',
  'dead',
  'discarded',
];

/** What operators do with the events of a filter. */
export type ChangeAction = 'retry' | 'replay' | 'discard';

/**
 * The states from which each action takes an event. A retry or replay takes a discarded event only if the filter names it
 * alone in `ids`: an operator has decided about it.
 */
export const changedStates: Readonly<Record<ChangeAction, readonly EventState[]>> = {
  retry: ['retry', 'dead', 'discarded'],
  replay: ['retry', 'dead', 'discarded', 'done'],
  discard: ['ready', 'waiting', 'retry', 'dead'],
};

/** What an action would change. */
export interface ChangePreview {
  readonly events: number;
  /** How many events of each kind and state, most first; at most 100 entries. `kind` is undefined for events without kind. */
  readonly groups: readonly ChangeGroup[];
  /** When the oldest and the newest of them were received. Undefined if there are none. */
  readonly oldestReceivedAt: number | undefined;
  readonly newestReceivedAt: number | undefined;
}

/** Events of one kind and state that an action would change. */
export interface ChangeGroup {
  readonly kind: string | undefined;
  readonly state: EventState;
  readonly events: number;
}

/** The maximum number of groups of a preview. */
export const maxGroups = 100;

/** Returns the SQL of the states from which an action takes the events of a filter. */
export function statesOf(
  action: ChangeAction,
  { ids }: { readonly ids?: readonly string[] },
): string {
  return changedStates[action]
    .filter((state) => state !== 'discarded' || ids?.length === 1)
    .map((state) => `'${state}'`)
    .join(', ');
}

/** One event of a delivery, as the receiver identified it. */
export interface ReceivedEvent {
  /** The name of the event's type. It informs operators; a worker identifies the delivery again. */
  readonly kind?: string;
  /** Events with the same key are handled in the order in which their receipts were committed. */
  readonly orderKey?: string;
  /** What makes two deliveries the same event, such as a digest. Only the first event of an identity is stored. */
  readonly identity?: string;
  /**
   * The order key that an earlier version of the receiver gave to the event. While an event of this key is in its queue,
   * the new event joins that queue, so that their order stays.
   */
  readonly formerOrderKey?: string;
  /** The identity that an earlier version of the receiver gave to the event. Where it is stored, the event is a duplicate. */
  readonly formerIdentity?: string;
}

/** A delivery as it arrived, after its authentication. */
export interface InboxDelivery {
  readonly method: string;
  readonly target: string;
  /** The headers that the handlers need. Headers with credentials are removed before they are stored. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The receiver's result, for example `valid`. It informs operators; a worker judges the delivery again. */
  readonly verdict?: string;
  /** The events of the delivery. A delivery that could not be parsed has one, without key and identity. */
  readonly events: readonly ReceivedEvent[];
}

/** A delivery with the identifier under which it is stored. */
export interface Receipt extends InboxDelivery {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** What a delivery contains that was stored as one event, because its receiver could not identify it. */
export interface DeliveryContent {
  /** The number of values in the delivery. */
  readonly count: number;
  /** Its events, at least one. Each has its index among the values, from which its identifier is made. */
  readonly events: readonly (ReceivedEvent & { readonly position: number })[];
}

/**
 * The result of a handler that identified a delivery and handled nothing. In one transaction, the store replaces the event
 * by the events of the delivery: with their identities, so that repetitions are left out, and in the queues of their
 * keys. They are claimed and handled afterwards.
 */
export interface Replacement {
  readonly replaceBy: DeliveryContent;
}

/** What a store did with one event of a receipt. */
export interface StoreResult {
  readonly status: 'stored' | 'duplicate';
  /** The identifier of the event; for a duplicate, the identifier of the event that was stored first. */
  readonly id: string;
}

/** What was done with a delivery. Both are answered with 2xx. */
export interface Received {
  /** `duplicate` if every event of the delivery was stored before. */
  readonly status: 'stored' | 'duplicate';
  readonly receiptId: string;
  /** In the order of the delivery's events. */
  readonly events: readonly StoreResult[];
}

/** Returns a new identifier of a receipt. It begins with the time, so that an index over identifiers grows at its end. */
export function createReceiptId(now: number): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}

/** Returns the identifier of an event. */
export function eventId(receiptId: string, position: number): string {
  return `${receiptId}-${position}`;
}

/** Parses the identifier of an event. Returns undefined for other text. */
export function parseEventId(id: string): { receiptId: string; position: number } | undefined {
  const [, receiptId, position] = /^(.+)-(\d{1,9})$/s.exec(id) ?? [];
  if (receiptId === undefined) return undefined;
  return { receiptId, position: Number(position) };
}

/** One violation of the contract by a delivery. It contains no value of the delivery. */
export interface EventViolation {
  /**
   * JSON Pointer into the received body, which contains names of its members. `undefined` in an encrypted store, because
   * a sender can choose such a name.
   */
  readonly pointer: string | undefined;
  /** The violated keyword of JSON Schema, or a keyword of the receiver, such as `kind` or `form`. */
  readonly keyword: string;
  /** What is wrong, as a phrase that follows the name of the value. */
  readonly message: string;
}

/** How a delivery violates its contract, as the worker found at the last attempt. It contains no value of the delivery. */
export interface Rejection {
  /** Why the delivery is not valid, such as `schema`. */
  readonly reason: string;
  /** The kinds that the delivery should have, or could have. At most 10. */
  readonly kinds: readonly string[];
  /** The first violations, at most 20. */
  readonly violations: readonly EventViolation[];
  /** The number of further violations that the worker found. */
  readonly omitted: number;
}

const maxKinds = 10;
const maxViolations = 20;

/** The maximum number of characters of each text. The names of members are as long as their sender likes. */
const maxTextLength = 200;

/**
 * Returns the rejection that an error has as its member `rejection`, such as the errors of a contract's worker.
 * Returns undefined for every other value. Never throws.
 */
export function rejectionOf(error: unknown): Rejection | undefined {
  if (!(error instanceof Error)) return undefined;
  try {
    return toRejection((error as { readonly rejection?: unknown }).rejection);
  } catch {
    return undefined;
  }
}

/** Reads a rejection from its column. Returns undefined if the column is empty or damaged. */
export function readRejection(json: string | undefined): Rejection | undefined {
  if (json === undefined) return undefined;
  try {
    return toRejection(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Returns the content of the column of a rejection. */
export function writeRejection(rejection: Rejection | undefined): string | null {
  return rejection === undefined ? null : JSON.stringify(rejection);
}

/** Returns a rejection without the names that a sender can choose. */
export function withoutPointers(rejection: Rejection): Rejection {
  const violations = rejection.violations.map((violation) => ({
    ...violation,
    pointer: undefined,
  }));
  return { ...rejection, violations };
}

function toRejection(value: unknown): Rejection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reason, kinds, violations, omitted = 0 } = value as Readonly<Record<string, unknown>>;
  if (typeof reason !== 'string' || !Array.isArray(kinds) || !Array.isArray(violations))
    return undefined;
  const listed = violations.slice(0, maxViolations).flatMap(toViolation);
  return {
    reason: cut(reason),
    kinds: kinds
      .slice(0, maxKinds)
      .filter((kind) => typeof kind === 'string')
      .map(cut),
    violations: listed,
    omitted:
      Math.max(0, violations.length - maxViolations) +
      (Number.isSafeInteger(omitted) ? Number(omitted) : 0),
  };
}

function toViolation(value: unknown): readonly EventViolation[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pointer, keyword, message } = value as Readonly<Record<string, unknown>>;
  if (typeof keyword !== 'string' || typeof message !== 'string') return [];
  return [
    {
      pointer: typeof pointer === 'string' ? cut(pointer) : undefined,
      keyword: cut(keyword),
      message: cut(message),
    },
  ];
}

function cut(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1)}…`;
}

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

/** What is stored of a delivery once for all its events. */
export type Payload = Pick<InboxEventWithPayload, 'method' | 'target' | 'headers' | 'body'>;

/** A claim, with the payload of its delivery where the store had to read it. */
export interface BareClaim {
  readonly event: InboxEvent;
  readonly token: number;
  readonly payload?: Payload;
  /** Whether the payload was read and is damaged. */
  readonly unreadable?: boolean;
}

/** What an event has instead of a payload that cannot be read. */
export const noPayload: Payload = { method: '', target: '', headers: [], body: new Uint8Array() };

/** Milliseconds after which a payload that no claim needed is forgotten. */
const maxIdleMs = 60_000;

/**
 * The payloads of deliveries with several events that were claimed last. Reading a payload again for each event would
 * take quadratic time for a delivery of many events. All events of a delivery get the same objects. It holds as many as
 * the largest claim has events, so that events in work at the same time do not displace one another.
 */
export class PayloadCache {
  readonly #payloads = new Map<string, { readonly payload: Payload; usedAt: number }>();
  readonly #now: () => number;
  #limit = 0;

  /** @param now returns milliseconds that are never set back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Claims events with the function, which gets the ids of receipts whose payloads need not be read. */
  async claim(
    limit: number,
    run: (cachedReceipts: readonly string[]) => Promise<readonly BareClaim[]>,
  ): Promise<readonly Claim[]> {
    this.#limit = Math.max(this.#limit, limit);
    const now = this.#now();
    for (const [id, { usedAt }] of this.#payloads)
      if (now - usedAt > maxIdleMs) this.#payloads.delete(id);
    // Other claims can displace payloads meanwhile.
    const payloads = new Map(Array.from(this.#payloads, ([id, { payload }]) => [id, payload]));
    const claims = await run([...payloads.keys()]);
    return claims.map(({ event, token, payload: read, unreadable = false }): Claim => {
      const { receiptId, count } = event;
      const payload = payloads.get(receiptId) ?? read;
      // The other events of a damaged delivery come without its payload.
      if (unreadable || payload === undefined)
        return { event: { ...event, ...noPayload }, token, unreadable: true };
      payloads.set(receiptId, payload);
      if (count > 1) this.#keep(receiptId, payload, now);
      return { event: { ...event, ...payload }, token };
    });
  }

  #keep(id: string, payload: Payload, usedAt: number): void {
    this.#payloads.delete(id);
    this.#payloads.set(id, { payload, usedAt });
    for (const oldest of this.#payloads.keys()) {
      if (this.#payloads.size <= this.#limit) break;
      this.#payloads.delete(oldest);
    }
  }
}

/** What is deleted by age, in parts. Dead events and their payloads stay until an operator deals with them. */
export interface Retention {
  /** Milliseconds after its last event was finished, after which a receipt with its payload is deleted. */
  readonly finishedAfterMs: number;
  /**
   * Milliseconds after which the identity of an event is forgotten, at least `finishedAfterMs`. A repetition after this
   * time is stored as a new event. Default: identities are kept.
   */
  readonly identitiesAfterMs?: number;
  /** Milliseconds after which a record of what an operator did is deleted. Default: 34,560,000,000 (400 days). */
  readonly auditAfterMs?: number;
  /** The maximum number of such records; the oldest ones are deleted. Default: 1,000,000. */
  readonly maxAuditRecords?: number;
  /** Milliseconds between two deletions. The first one is when the worker starts. Default: 600,000 (ten minutes). */
  readonly intervalMs?: number;
}

/** Under this name, the audit list records what is deleted by age. */
export const retentionActor = 'retention';

/** The number of receipts, of identities, and of records that are deleted at once: deliveries wait for as long as this takes. */
const batchSize = 500;

/** A running retention. */
export interface RunningRetention {
  /** Waits for the deletion that runs. No other one is started. */
  stop(): Promise<void>;
}

/**
 * Deletes by age at once and then at an interval, until it is stopped. Failures are reported, and tried again at the
 * next time.
 * @throws InboxError `invalid-option`
 */
export function startRetention(
  store: Pick<InboxOperations, 'delete' | 'pruneAudit'>,
  retention: Retention,
  { clock, report }: { clock: () => number; report: (error: unknown) => void },
): RunningRetention {
  const { finishedAfterMs, identitiesAfterMs, intervalMs = 600_000 } = retention;
  const { auditAfterMs = 400 * 86_400_000, maxAuditRecords = 1_000_000 } = retention;
  if (!(finishedAfterMs >= 0 && finishedAfterMs < Infinity))
    throw new InboxError(
      'invalid-option',
      '`retention.finishedAfterMs` must be a number of milliseconds, at least 0',
    );
  if (
    identitiesAfterMs !== undefined &&
    !(identitiesAfterMs >= finishedAfterMs && identitiesAfterMs < Infinity)
  )
    throw new InboxError(
      'invalid-option',
      '`retention.identitiesAfterMs` must be a number of milliseconds, at least `finishedAfterMs`',
    );
  if (!(auditAfterMs >= 0 && auditAfterMs < Infinity))
    throw new InboxError(
      'invalid-option',
      '`retention.auditAfterMs` must be a number of milliseconds, at least 0',
    );
  if (!(Number.isSafeInteger(maxAuditRecords) && maxAuditRecords >= 0))
    throw new InboxError(
      'invalid-option',
      '`retention.maxAuditRecords` must be an integer, at least 0',
    );
  // A timer of Node holds at most a 32-bit number.
  if (!(intervalMs > 0 && intervalMs < 2 ** 31))
    throw new InboxError('invalid-option', '`retention.intervalMs` must be above 0 and below 2^31');
  const stop = new AbortController();
  const { signal } = stop;

  async function deleteByAge(): Promise<void> {
    const now = clock();
    const request = {
      finishedBefore: now - finishedAfterMs,
      ...(identitiesAfterMs === undefined ? {} : { identitiesBefore: now - identitiesAfterMs }),
      maxDeleted: batchSize,
    };
    while (!signal.aborted) {
      const { receipts, identities } = await store.delete(request, retentionActor);
      if (receipts < batchSize && identities < batchSize) return;
    }
  }

  async function pruneAudit(): Promise<void> {
    const request = {
      before: clock() - auditAfterMs,
      maxRecords: maxAuditRecords,
      maxDeleted: batchSize,
    };
    while (!signal.aborted) if ((await store.pruneAudit(request)) < batchSize) return;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await deleteByAge().catch(report);
      // The deletions above are recorded, too.
      await pruneAudit().catch(report);
      // The process may end while the next deletion is awaited.
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/**
 * A place where the end of the process has the most consequences.
 *
 * - `receive:before-commit`: the rows of a receipt are written; the transaction is open.
 * - `receive:before-acknowledgement`: the receipt is committed; the caller does not know it yet.
 * - `handle:in-transaction`: the effect of a handler is written; the transaction is open.
 * - `handle:before-completion`: the handler has returned; its event is not completed yet.
 * - `handle:after-completion`: the completion is committed; the worker does not know it yet.
 */
export type Failpoint =
  | 'receive:before-commit'
  | 'receive:before-acknowledgement'
  | 'handle:in-transaction'
  | 'handle:before-completion'
  | 'handle:after-completion';

const channels: Readonly<Record<Failpoint, Channel>> = {
  'receive:before-commit': channel('countersign:inbox:receive:before-commit'),
  'receive:before-acknowledgement': channel('countersign:inbox:receive:before-acknowledgement'),
  'handle:in-transaction': channel('countersign:inbox:handle:in-transaction'),
  'handle:before-completion': channel('countersign:inbox:handle:before-completion'),
  'handle:after-completion': channel('countersign:inbox:handle:after-completion'),
};

/** Publishes on `node:diagnostics_channel` that a failpoint is passed. Tests subscribe and kill the process. */
export function passFailpoint(name: Failpoint): void {
  const passed = channels[name];
  if (passed.hasSubscribers) passed.publish({ name });
}
