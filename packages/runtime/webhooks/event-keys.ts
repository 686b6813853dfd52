import type { Catalogue } from './catalogue.ts';
import type { Read } from './decision.ts';
import type { Delivery } from './delivery.ts';
import { createOrderKey, deliveryKey, replayKey } from './delivery-key.ts';
import type { Identified } from './identify.ts';
import type { EventKeys, ReceivedEvent } from './inbox.ts';
import { keyOfReceiver } from './receiver-name.ts';
import { toEvent } from './to-event.ts';

/** Reads a key that the application states. */
const wholeValue: readonly Read[] = [{ body: [] }];

/** Returns the order key that the contract states for a value of a kind, without the name of the receiver. */
export async function orderKeyOf(
  catalogue: Catalogue,
  kind: string,
  delivery: Delivery,
  data: unknown,
): Promise<string | undefined> {
  return await createOrderKey(catalogue.kinds.get(kind)?.orderedBy ?? [], delivery, data);
}

/**
 * Returns the identity with which an inbox stores a value of a kind that violates the contract. It is another one than
 * that of the valid value, and depends on the bytes: no copy with other members stands for what the sender sent.
 */
export async function refusedKey(
  catalogue: Catalogue,
  kind: string,
  delivery: Delivery,
  data: unknown,
): Promise<string | undefined> {
  const dedupeBy = catalogue.kinds.get(kind)?.dedupeBy ?? [];
  const reads = [...dedupeBy, 'raw'] as const;
  return dedupeBy.length === 0 ? undefined : await deliveryKey('refused', reads, delivery, data);
}

/**
 * Returns the order key and the identity of a receiver's event, and those that receivers without names stored.
 * @param receiver the name of the receiver; `undefined` for a delivery that a receiver without a name stored
 */
export function toKeys(
  receiver: string | undefined,
  orderKey: string | undefined,
  identity: string | undefined,
): ReceivedEvent {
  if (receiver === undefined)
    return {
      ...(orderKey !== undefined && { orderKey }),
      ...(identity !== undefined && { identity }),
    };
  return {
    ...(orderKey !== undefined && {
      orderKey: keyOfReceiver(receiver, orderKey),
      formerOrderKey: orderKey,
    }),
    ...(identity !== undefined && {
      identity: keyOfReceiver(receiver, identity),
      formerIdentity: identity,
    }),
  };
}

/** Returns the kind, the order key and the identity with which an inbox stores an event. */
export async function keysOf(
  catalogue: Catalogue,
  identified: Identified,
  form: string,
  delivery: Delivery,
  { orderBy, identifyBy }: EventKeys<never>,
  receiver: string | undefined,
): Promise<ReceivedEvent> {
  const { name, kinds, data } = identified;
  const event = toEvent(identified, form) as never;
  const [first = ''] = kinds;
  const key = await (orderBy
    ? createOrderKey(wholeValue, delivery, orderBy(event))
    : orderKeyOf(catalogue, first, delivery, data));
  const identity = await (identifyBy
    ? deliveryKey(name ?? '', wholeValue, delivery, identifyBy(event))
    : replayKey(catalogue, identified, delivery));
  return {
    ...(name !== null && { kind: name }),
    ...toKeys(receiver, key, identity),
  };
}
