import type { Catalogue } from './catalogue.ts';
import type { Read } from './decision.ts';
import type { Delivery } from './delivery.ts';
import { keysOf, orderKeyOf, refusedKey, toKeys } from './event-keys.ts';
import type { EventKeys, InboxDelivery, ReceivedEvent, StoredParts } from './inbox.ts';
import type { Opened } from './opened-delivery.ts';
import { assertHeaderName } from './header-name.ts';
import { receiverHeader } from './receiver-name.ts';
import { parseQuery } from './target.ts';

/**
 * Creates the function that makes what an inbox stores of a delivery.
 * @param receiver the name of the receiver
 */
export function createPacking(
  catalogue: Catalogue,
  receiver: string,
  stored: StoredParts,
  keys: EventKeys<never>,
): (opened: Opened, delivery: Delivery) => Promise<InboxDelivery> {
  const reads = readsOf(catalogue);
  // A worker has to know that a body is encoded.
  const headers = new Set(['content-encoding']);
  for (const read of reads) if ('header' in read) headers.add(read.header);
  for (const name of stored.headers ?? []) {
    assertHeaderName(name, 'each of `stored.headers`');
    headers.add(name.toLowerCase());
  }
  const query = new Set([
    ...reads.flatMap((read) => ('query' in read ? read.query : [])),
    ...queryFields(catalogue),
  ]);
  for (const name of stored.query ?? []) query.add(name);
  return async (opened, delivery) => ({
    method: delivery.method,
    target: toTarget(delivery, query),
    headers: [
      ...[...headers].flatMap((name) =>
        delivery.headers(name).map((value) => [name, value] as const),
      ),
      [receiverHeader, receiver],
    ],
    body: delivery.body,
    verdict: opened.refusal === undefined ? 'valid' : opened.refusal.reason,
    events: await eventsOf(catalogue, receiver, opened, delivery, keys),
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

/** Returns the names of the parameters of the query that are data. */
function queryFields({ fields }: Catalogue): readonly string[] {
  const inQuery = [...(fields?.kinds.values() ?? [])].filter((kind) => kind.in === 'query');
  return inQuery.flatMap((kind) =>
    Object.entries(kind.fields).flatMap(([name, { shape, spread }]) => [
      name,
      ...(spread ? Object.keys(shape.properties ?? {}) : []),
    ]),
  );
}

/** Returns the target with only the named query parameters, because others can be credentials. */
function toTarget({ path, query }: Delivery, names: ReadonlySet<string>): string {
  const kept = query.split('&').filter((pair) => {
    const [name] = parseQuery(pair).keys();
    // The members of an object can have names such as `holder[member]`.
    return name !== undefined && (names.has(name) || names.has(name.replace(/\[.*$/su, '')));
  });
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

async function eventsOf(
  catalogue: Catalogue,
  receiver: string,
  opened: Opened,
  delivery: Delivery,
  options: EventKeys<never>,
): Promise<readonly ReceivedEvent[]> {
  if (opened.refusal !== undefined) {
    const { kinds = [] } = opened.refusal;
    const identity =
      opened.data === undefined || options.identifyBy !== undefined
        ? undefined
        : await onlyOne(kinds, (kind) => refusedKey(catalogue, kind, delivery, opened.data));
    // If only members of the body are signed, an attacker who captured the delivery can make it invalid, and hold its place.
    const isPlaced =
      opened.data !== undefined && options.orderBy === undefined && !signsMembers(catalogue);
    const orderKey = isPlaced
      ? await onlyOne(kinds, (kind) => orderKeyOf(catalogue, kind, delivery, opened.data))
      : undefined;
    return [toKeys(receiver, orderKey, identity)];
  }
  const { events, form } = opened.identification;
  return await Promise.all(
    events.map((event) => keysOf(catalogue, event, form, delivery, options, receiver)),
  );
}

function signsMembers({ kinds }: Catalogue): boolean {
  return [...kinds.values()].some(({ signed }) => signed !== undefined);
}

/** Returns the key of a delivery that is not valid, if each of its possible kinds gives it the same one. */
async function onlyOne(
  kinds: readonly string[],
  keyOf: (kind: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const [key, ...otherKeys] = new Set(await Promise.all(kinds.map(keyOf)));
  return otherKeys.length === 0 ? key : undefined;
}
