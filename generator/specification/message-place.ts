import { type Cursor, child, entries, follow, items, text } from '../json/cursor.ts';
import { pointerMembers } from '../json/pointer.ts';
import type { OperationPlace } from './operation-place.ts';

/** AsyncAPI's operation with one of its messages. */
export interface MessagePlace {
  readonly id: string;
  /** Of the operation. */
  readonly key: string;
  readonly message: Cursor;
  /** Where the operation, or its channel, names the message. */
  readonly reference: Cursor;
  readonly operation: Cursor;
  readonly channel: Cursor;
}

/** A message is its own kind; one that several operations send is told apart by the operation's key. */
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

/** The kind of a webhook: its key, or where several share one (or it is a path), its operation's id. */
export function webhookId(
  { operation, method, key }: OperationPlace,
  alone: boolean,
  labelled: boolean,
): string {
  if (alone && !labelled) return key;
  return text(child(operation, 'operationId')) ?? `${method.toLowerCase()} ${key}`;
}
