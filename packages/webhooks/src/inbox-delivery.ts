import type { Catalogue } from './catalogue.ts';
import type { Read } from './decision.ts';
import type { Delivery } from './delivery.ts';
import { createOrderKey, deliveryKey, replayKey } from './delivery-key.ts';
import { toEvent } from './event.ts';
import type { Opened } from './open-delivery.ts';

/** One event of a delivery, as an inbox stores it. */
export interface ReceivedEvent {
  /** The name of its kind, or of a union of kinds. */
  readonly kind?: string;
  /** Events with the same key are handled in the order in which their deliveries were stored. */
  readonly orderKey?: string;
  /** A digest of what makes two deliveries the same event. */
  readonly identity?: string;
}

/** An authentic delivery, as an inbox stores it. */
export interface InboxDelivery {
  readonly method: string;
  /** Path and query; of the query, only what identification and keys read. */
  readonly target: string;
  /** The headers that identification and keys read. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** The receiver's result: `valid`, or the reason why the delivery is not. A worker judges the delivery again. */
  readonly verdict: string;
  /** The events; one for a delivery that is not valid. */
  readonly events: readonly ReceivedEvent[];
}

/** Stores deliveries. `createInbox` of `@countersign/inbox` creates one. */
export interface DeliveryInbox {
  /** Stores a delivery with all its events. Resolves after that is durable, and rejects otherwise. */
  readonly receive: (
    delivery: InboxDelivery,
  ) => Promise<{ readonly status: 'stored' | 'duplicate' }>;
}

/** What is stored of a request beside method, path and body. */
export interface StoredParts {
  /** Names of headers. */
  readonly headers?: readonly string[];
  /** Names of query parameters. */
  readonly query?: readonly string[];
}

/** The keys of events that the application states, in place of those of the contract. */
export interface EventKeys<E> {
  /** Returns the order key of an event; `undefined` for an event without order. */
  readonly orderBy?: (event: E) => string | undefined;
  /** Returns what makes two deliveries the same event; `undefined` for an event that has no duplicates. */
  readonly identifyBy?: (event: E) => string | undefined;
}

/** Creates the function that makes what an inbox stores of a delivery. */
export function createPacking(
  catalogue: Catalogue,
  stored: StoredParts,
  keys: EventKeys<never>,
): (opened: Opened, delivery: Delivery) => Promise<InboxDelivery> {
  const reads = readsOf(catalogue);
  const headers = new Set(reads.flatMap((read) => ('header' in read ? read.header : [])));
  for (const name of stored.headers ?? []) headers.add(name.toLowerCase());
  const query = new Set(reads.flatMap((read) => ('query' in read ? read.query : [])));
  for (const name of stored.query ?? []) query.add(name);
  return async (opened, delivery) => ({
    method: delivery.method,
    target: toTarget(delivery, query),
    headers: [...headers].flatMap((name) =>
      delivery.headers(name).map((value) => [name, value] as const),
    ),
    body: delivery.body,
    verdict: opened.refusal === undefined ? 'valid' : opened.refusal.reason,
    events: await eventsOf(catalogue, opened, delivery, keys),
  });
}

/** Returns the locations outside the body that identification and keys read. */
function readsOf({ kinds, reads }: Catalogue): readonly Exclude<Read, string>[] {
  const ofKinds = [...kinds.values()].flatMap(({ dedupeBy = [], orderedBy = [] }) => [
    ...dedupeBy,
    ...orderedBy,
  ]);
  return [...reads, ...ofKinds].filter((read) => typeof read !== 'string');
}

/** Returns the target with only the named query parameters, because others can be credentials. */
function toTarget({ path, query }: Delivery, names: ReadonlySet<string>): string {
  const kept = query.split('&').filter((pair) => {
    const [name] = new URLSearchParams(pair).keys();
    return name !== undefined && names.has(name);
  });
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

async function eventsOf(
  catalogue: Catalogue,
  opened: Opened,
  delivery: Delivery,
  { orderBy, identifyBy }: EventKeys<never>,
): Promise<readonly ReceivedEvent[]> {
  const orderKeyOf = async (kind: string, data: unknown): Promise<string | undefined> =>
    await createOrderKey(catalogue.kinds.get(kind)?.orderedBy ?? [], delivery, data);
  if (opened.refusal !== undefined) {
    if (opened.data === undefined || orderBy !== undefined) return [{}];
    const { kinds = [] } = opened.refusal;
    const possible = await Promise.all(kinds.map((kind) => orderKeyOf(kind, opened.data)));
    // A delivery that is not valid keeps its place where each of its possible kinds gives it the same one.
    const [key, ...others] = new Set(possible);
    return [key === undefined || others.length > 0 ? {} : { orderKey: key }];
  }
  const { events, form } = opened.found;
  return await Promise.all(
    events.map(async (identified): Promise<ReceivedEvent> => {
      const { name, kinds, data } = identified;
      const event = toEvent(identified, form) as never;
      const [first = ''] = kinds;
      const key = await (orderBy
        ? createOrderKey(wholeValue, delivery, orderBy(event))
        : orderKeyOf(first, data));
      const identity = await (identifyBy
        ? deliveryKey(name ?? '', wholeValue, delivery, identifyBy(event))
        : replayKey(catalogue, identified, delivery));
      return {
        ...(name !== null && { kind: name }),
        ...(key !== undefined && { orderKey: key }),
        ...(identity !== undefined && { identity }),
      };
    }),
  );
}

/** Reads a key that the application states. */
const wholeValue: readonly Read[] = [{ body: [] }];
