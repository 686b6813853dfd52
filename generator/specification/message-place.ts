import type { Cursor } from '../json/cursor.ts';
import { type Pointer, pointerMembers } from '../json/pointer.ts';
import { operationId, type OperationPlace, placeId } from './operation-places.ts';
import { operationMethods } from './openapi-grammar.ts';
import { type Protocols, protocolsOf } from './protocols.ts';

/** An AsyncAPI operation with one of its messages. */
export interface MessagePlace {
  readonly id: string;
  /** Its own name, which can be that of others. */
  readonly name: string;
  /** The id of the message itself, whatever operations have it. */
  readonly ownId: string;
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
 * the message, the operation's key precedes the name; if messages of several channels have the name, the key of the
 * channel.
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
  const byName = new Map<string, Set<Pointer>>();
  for (const { pointer } of places.map(({ message }) => message)) {
    counts.set(pointer, (counts.get(pointer) ?? 0) + 1);
    const name = nameOf(pointer);
    byName.set(name, (byName.get(name) ?? new Set()).add(pointer));
  }
  return places.map((place) => {
    const { key, message } = place;
    const { pointer } = message;
    const name = nameOf(pointer);
    const [section, channel = ''] = pointerMembers(pointer);
    const isShared = (counts.get(pointer) ?? 0) > 1;
    const isRepeated = (byName.get(name)?.size ?? 0) > 1 && section === 'channels';
    const ownId = isRepeated ? `${channel} ${name}` : name;
    return { ...place, name, ownId, id: isShared ? `${key} ${name}` : ownId };
  });
}

function nameOf(message: Pointer): string {
  return pointerMembers(message).at(-1) ?? '';
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
 * Returns the id of a webhook, from which its kind is derived: its key. If the key has several methods, that is the id of
 * the first one in the order of `operationMethods`, with POST before all, and the method precedes the key in the others.
 * If the key is a path, the id is the operationId, or the method and path.
 * @param methods the methods of the key
 * @param labelled whether the key is a path
 */
export function webhookId(
  place: OperationPlace,
  methods: ReadonlySet<string>,
  labelled: boolean,
): string {
  if (labelled) return operationId(place);
  const first = ['post', ...operationMethods].find((method) => methods.has(method.toUpperCase()));
  return place.method.toLowerCase() === first ? place.key : placeId(place);
}

/** Returns the methods of each key. */
export function methodsByKey(
  places: readonly OperationPlace[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Array.from(
      Map.groupBy(places, ({ key }) => key),
      ([key, alike]) => [key, new Set(alike.map(({ method }) => method))],
    ),
  );
}
