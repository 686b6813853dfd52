import type { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import type { OperationPlace } from './operation-places.ts';
import { type Protocols, protocolsOf } from './protocols.ts';

/** An AsyncAPI operation with one of its messages. */
export interface MessagePlace {
  readonly id: string;
  /** The key of the operation. */
  readonly key: string;
  readonly message: Cursor;
  /** The item of the operation, or the member of its channel, that names the message. */
  readonly reference: Cursor;
  readonly operation: Cursor;
  readonly channel: Cursor;
  readonly protocols: Protocols;
}

/**
 * Returns the messages of all operations with an action. The id of a message is its name. If several operations have
 * the message, the operation's key precedes the name.
 */
export function messagePlaces(root: Cursor, action: string): readonly MessagePlace[] {
  return placesOf(root, action, (operation) => operation);
}

/** Returns the messages of the replies to all operations with an action. */
export function replyPlaces(root: Cursor, action: string): readonly MessagePlace[] {
  return placesOf(root, action, (operation) => operation.child('reply').follow());
}

/** @param holderOf returns the object of an operation that names a channel and its messages */
function placesOf(
  root: Cursor,
  action: string,
  holderOf: (operation: Cursor) => Cursor,
): readonly MessagePlace[] {
  const places = root.entries('operations').flatMap(([key, entry]) => {
    const operation = entry.follow();
    if (operation.text('action') !== action) return [];
    const holder = holderOf(operation);
    if (holder.value === undefined) return [];
    const holderChannel = holder.child('channel').follow();
    const channel =
      holderChannel.value === undefined ? operation.child('channel').follow() : holderChannel;
    return messagesOf(holder, holderChannel).map((reference) => {
      const message = reference.follow();
      const protocols = protocolsOf(root, channel, operation, message);
      return { key, message, reference, operation, channel, protocols };
    });
  });
  const counts = new Map<Pointer, number>();
  for (const { message } of places) {
    counts.set(message.pointer, (counts.get(message.pointer) ?? 0) + 1);
  }
  return places.map((place) => {
    const { key, message } = place;
    const { pointer } = message;
    const messageName = pointerMembers(pointer).at(-1) ?? '';
    const isShared = (counts.get(pointer) ?? 0) > 1;
    return { ...place, id: isShared ? `${key} ${messageName}` : messageName };
  });
}

/**
 * Returns the messages that an operation, or its reply, names. Without the member it has all messages of its channel;
 * with an empty list it has none (AsyncAPI 3.0, Operation Object).
 */
export function messagesOf(operation: Cursor, channel: Cursor): readonly Cursor[] {
  const chosen = operation.child('messages');
  return chosen.value === undefined
    ? channel.entries('messages').map(([, message]) => message)
    : chosen.items();
}

/**
 * Returns the id of a webhook, from which its kind is derived. This is its key if no other webhook has that key and the
 * key is not a path. Otherwise it is the operationId, or the method and key.
 * @param alone whether no other webhook has the key
 * @param labelled whether the key is a path
 */
export function webhookId(
  { operation, method, key }: OperationPlace,
  alone: boolean,
  labelled: boolean,
): string {
  if (alone && !labelled) return key;
  return operation.text('operationId') ?? `${method.toLowerCase()} ${key}`;
}
