import { type Cursor, child, entries, follow, items, text } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { OperationPlace } from './operation-place.ts';

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
}

/**
 * Returns the messages of all operations with an action. The id of a message is its name. If several operations have
 * the message, the operation's key precedes the name.
 */
export function messagePlaces(root: Cursor, action: string): readonly MessagePlace[] {
  const places = entries(child(root, 'operations')).flatMap(([key, written]) => {
    const operation = follow(written);
    if (text(child(operation, 'action')) !== action) return [];
    const channel = follow(child(operation, 'channel'));
    const chosen = items(child(operation, 'messages'));
    const messages =
      chosen.length > 0
        ? chosen
        : entries(child(channel, 'messages')).map(([, message]) => message);
    return messages.map((reference) => ({
      key,
      message: follow(reference),
      reference,
      operation,
      channel,
    }));
  });
  return places.map((place) => {
    const { key, message } = place;
    const { pointer } = message;
    const own = pointerMembers(pointer).at(-1) ?? '';
    const shared = places.filter((other) => other.message.pointer === pointer).length > 1;
    return { ...place, id: shared ? `${key} ${own}` : own };
  });
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
  return text(child(operation, 'operationId')) ?? `${method.toLowerCase()} ${key}`;
}
