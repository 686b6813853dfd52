// What the stores of all databases share: reading rows, counting, and limits.

import { InboxError } from './errors.ts';
import {
  type AuditRecord,
  type Blocker,
  type ChangePreview,
  type DeadLetterAlert,
  type DeletionRequest,
  type DeletionResult,
  type DeliveryContent,
  eventId,
  type EventState,
  eventStates,
  type InboxEvent,
  type InboxEventWithPayload,
  type InboxStats,
  maxGroups,
  maxLeaseMs,
  noPayload,
  type Payload,
  readRejection,
  type ReceivedEvent,
  type Replacement,
} from './store.ts';

/** A row of a database. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns a column that is never NULL. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} is not text`);
  return value;
}

/** Returns a column that can be NULL. */
export function optionalText(row: Row, column: string): string | undefined {
  const value = row[column];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a column that is never NULL. */
export function integer(row: Row, column: string): number {
  const value = optionalInteger(row, column);
  if (value === undefined) throw new TypeError(`Column ${column} is not an integer`);
  return value;
}

/** Returns a column that can be NULL. */
export function optionalInteger(row: Row, column: string): number | undefined {
  const value = row[column];
  if (typeof value === 'number') return value;
  // The driver of Postgres returns a bigint as text, or as the parser that the application sets returns it.
  if (typeof value === 'bigint' || (typeof value === 'string' && /^-?\d+$/.test(value)))
    return Number(value);
  return undefined;
}

/** Returns a column that is never NULL. */
function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} is not a blob`);
  return value;
}

/** The columns of an event without its payload. `e` is the event, `r` its receipt. */
export const eventColumns: string =
  'e.seq, e.position, e.kind, e.order_key, e.identity, e.identified, e.received_at, e.state, e.attempts, e.interruptions, e.ends, ' +
  'e.retry_at, e.error, e.rejection, e.failed_at, e.finished_at, e.lease_until, r.id AS receipt_id, r.verdict, r.events';

/** The columns of an event with its payload. */
export const payloadColumns: string = `${eventColumns}, r.method, r.target, r.headers, r.body`;

/** Reads an event from a row with `eventColumns`. */
export function readEvent(row: Row): InboxEvent {
  const receiptId = text(row, 'receipt_id');
  const position = integer(row, 'position');
  const state = readState(row, 'state');
  return {
    id: eventId(receiptId, position),
    receiptId,
    position,
    count: integer(row, 'events'),
    kind: optionalText(row, 'kind'),
    orderKey: optionalText(row, 'order_key'),
    identity: optionalText(row, 'identity'),
    identified: integer(row, 'identified') === 1,
    verdict: optionalText(row, 'verdict'),
    receivedAt: integer(row, 'received_at'),
    state,
    attempts: integer(row, 'attempts'),
    interruptions: integer(row, 'interruptions'),
    interruptionsInRow: integer(row, 'ends'),
    retryAt: optionalInteger(row, 'retry_at'),
    error: optionalText(row, 'error'),
    rejection: readRejection(optionalText(row, 'rejection')),
    // An earlier version recorded the time of a dead letter as its end alone.
    failedAt: optionalInteger(row, state === 'dead' ? 'finished_at' : 'failed_at'),
    finishedAt: optionalInteger(row, 'finished_at'),
    leaseUntil: state === 'working' ? optionalInteger(row, 'lease_until') : undefined,
    waitsFor: undefined,
  };
}

/** The SQL of the time of the last failure of an event. */
export const failedAtColumn: string =
  "CASE WHEN e.state = 'dead' THEN e.finished_at ELSE e.failed_at END";

/** The columns of `h`, the event that others of its key wait for. Its receipt is `r`. */
export const blockerColumns: string =
  'h.order_key, r.id AS receipt_id, h.position, h.kind, h.state, h.lease_until, h.retry_at';

/** Returns events with what they wait for, from rows with `blockerColumns`. */
export function addBlockers(
  events: readonly InboxEvent[],
  rows: readonly Row[],
): readonly InboxEvent[] {
  const blockers = new Map(rows.map((row) => [text(row, 'order_key'), readBlocker(row)]));
  return events.map((event) => {
    const { state, orderKey } = event;
    if (state !== 'waiting' || orderKey === undefined) return event;
    return { ...event, waitsFor: blockers.get(orderKey) };
  });
}

function readBlocker(row: Row): Blocker {
  const state = readState(row, 'state');
  const until = state === 'working' ? 'lease_until' : 'retry_at';
  return {
    id: eventId(text(row, 'receipt_id'), integer(row, 'position')),
    kind: optionalText(row, 'kind'),
    state,
    until: optionalInteger(row, until),
  };
}

/** Returns the keys of events that wait, once each. */
export function waitingKeys(events: readonly InboxEvent[]): readonly string[] {
  const waiting = events.filter(({ state }) => state === 'waiting');
  return [...new Set(waiting.flatMap(({ orderKey }) => orderKey ?? []))];
}

/**
 * Returns the place after which a list continues, if it is the `next` of a page. Returns undefined for the identifier of
 * an event, which has a hyphen.
 */
export function parsePlace(after: string): number | undefined {
  return /^\d{1,15}$/.test(after) ? Number(after) : undefined;
}

/** Returns the error for a list that cannot continue. */
export function noEventToContinue(): InboxError {
  return new InboxError(
    'invalid-option',
    'There is no event after which the list could continue. It may have been deleted.',
  );
}

/**
 * Reads an event from a row with `payloadColumns`.
 * @throws InboxError `unreadable-event`
 */
export function readEventWithPayload(row: Row): InboxEventWithPayload {
  const event = readEvent(row);
  const payload = readPayload(row);
  if (payload === undefined) throw unreadable(event.id);
  return { ...event, ...payload };
}

/** Returns the error for an event whose delivery cannot be read. It contains nothing of the delivery. */
export function unreadable(id: string): InboxError {
  return new InboxError('unreadable-event', `The stored delivery of event ${id} cannot be read`);
}

/** Reads the payload of a row with `payloadColumns`. Returns undefined if it is damaged, or of another format. */
export function readPayload(row: Row): Payload | undefined {
  try {
    const headers: unknown = JSON.parse(text(row, 'headers'));
    if (!Array.isArray(headers) || !headers.every(isHeader)) return undefined;
    return {
      method: text(row, 'method'),
      target: text(row, 'target'),
      headers,
      body: bytes(row, 'body'),
    };
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is readonly [name: string, value: string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
  );
}

/** Reads the state of an event. */
function readState(row: Row, column: string): EventState {
  const value = text(row, column);
  const state = eventStates.find((name) => name === value);
  if (state === undefined) throw new TypeError(`Unknown state ${value}`);
  return state;
}

const actions: readonly AuditRecord['action'][] = [
  'retry',
  'replay',
  'discard',
  'reveal',
  'delete',
];

/** Reads a record from a row of `inbox_audit`. */
export function readAuditRecord(row: Row): AuditRecord {
  return {
    at: integer(row, 'at'),
    by: text(row, 'by'),
    action: readAction(text(row, 'action')),
    eventId: optionalText(row, 'event_id'),
    detail: optionalText(row, 'detail'),
  };
}

function readAction(value: string): AuditRecord['action'] {
  const action = actions.find((name) => name === value);
  if (action === undefined) throw new TypeError(`Unknown action ${value}`);
  return action;
}

/** Returns the end of the query of a preview: groups of events `e`, most first. */
export const previewColumns: string =
  'e.kind, e.state, count(*) AS events, min(e.received_at) AS oldest, max(e.received_at) AS newest';

/** Reads a preview from the rows of `previewColumns`, grouped by kind and state, largest first. */
export function readPreview(rows: readonly Row[]): ChangePreview {
  const groups = rows.map((row) => ({
    kind: optionalText(row, 'kind'),
    state: readState(row, 'state'),
    events: integer(row, 'events'),
  }));
  const oldest = rows.map((row) => integer(row, 'oldest'));
  const newest = rows.map((row) => integer(row, 'newest'));
  const least = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b));
  const most = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));
  return {
    events: groups.reduce((sum, { events }) => sum + events, 0),
    groups: groups.slice(0, maxGroups),
    oldestReceivedAt: oldest.length === 0 ? undefined : least(oldest),
    newestReceivedAt: newest.length === 0 ? undefined : most(newest),
  };
}

/** The longest time in milliseconds for which an alert is leased or waits for another call. */
export const maxAlertDelayMs = 600_000;

/** Reads an alert from a row with `payloadColumns`, `claims` and `alerts`. Columns of the payload can be absent. */
export function readAlert(row: Row): DeadLetterAlert {
  const event = readEvent(row);
  const reference = {
    id: event.id,
    token: integer(row, 'claims'),
    attempt: integer(row, 'alerts'),
  };
  return { event: { ...event, ...(readPayload(row) ?? noPayload) }, reference };
}

/** An event of a delivery that a worker identified. */
type IdentifiedEvent = ReceivedEvent & { readonly position: number };

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
interface StoredIdentity {
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

/**
 * What a store counts. `failed in work`: events that are in work, and failed before. `blocked`: events that wait for a
 * later attempt, and those that wait behind one or behind a dead letter.
 */
type CountName =
  | EventState
  | 'duplicates'
  | 'interruptions'
  | 'failed in work'
  | 'blocked'
  | 'blocked keys';

/**
 * Creates the statistics of a store.
 * @param countOf returns a count
 * @param oldestAgeMs the time for which the oldest event that can be handled waits; negative where clocks differ
 */
export function toStats(
  countOf: (name: CountName) => number,
  oldestAgeMs: number | undefined,
): InboxStats {
  const byState = {
    ready: countOf('ready'),
    waiting: countOf('waiting'),
    retry: countOf('retry'),
    working: countOf('working'),
    done: countOf('done'),
    dead: countOf('dead'),
    discarded: countOf('discarded'),
  };
  const { ready, waiting, retry, working, dead } = byState;
  const depth = ready + waiting + retry + working;
  return {
    byState,
    depth,
    backlog: depth - countOf('blocked'),
    blockedKeys: countOf('blocked keys'),
    failed: retry + dead + countOf('failed in work'),
    oldestAgeMs: oldestAgeMs === undefined ? undefined : Math.max(0, oldestAgeMs),
    duplicates: countOf('duplicates'),
    interruptions: countOf('interruptions'),
  };
}

/**
 * The number of events that are blocked. Counting them takes time in proportion to their number, and a full inbox needs
 * it for each receipt: they are counted again only so often that counting takes at most a twentieth of the time.
 */
export class BlockedCount {
  #events = 0;
  #recountAt = -Infinity;

  /** Returns the last count, or `undefined` if it is time to count again. */
  get(): number | undefined {
    return performance.now() < this.#recountAt ? this.#events : undefined;
  }

  /**
   * Keeps a count, and returns it.
   * @param startedAt the time of `performance.now()` at which counting began
   */
  keep(events: number, startedAt: number): number {
    const ended = performance.now();
    this.#events = events;
    this.#recountAt = ended + 20 * (ended - startedAt);
    return events;
  }
}

/**
 * Checks the length of a lease.
 * @throws InboxError `invalid-option`
 */
export function checkLease(leaseMs: number): void {
  if (!(leaseMs > 0 && leaseMs <= maxLeaseMs))
    throw new InboxError('invalid-option', `A lease must be above 0 and at most ${maxLeaseMs} ms`);
}

/** The maximum number of receipts, and of identities, that one transaction deletes. Receipts wait for it. */
const maxPart = 500;

/** Deletes by calls that delete a limited number each, up to the limit of the request. */
export async function deleteInParts(
  request: DeletionRequest,
  run: (part: DeletionRequest) => Promise<DeletionResult>,
): Promise<DeletionResult> {
  const { maxDeleted = 1000 } = request;
  let [receipts, identities] = [0, 0];
  for (;;) {
    const part = Math.min(maxPart, maxDeleted - Math.max(receipts, identities));
    const deleted = await run({ ...request, maxDeleted: part });
    receipts += deleted.receipts;
    identities += deleted.identities;
    const finished = deleted.receipts < part && deleted.identities < part;
    if (finished || Math.max(receipts, identities) >= maxDeleted) return { receipts, identities };
  }
}
