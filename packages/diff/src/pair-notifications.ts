import { normalizeTemplate } from 'countersign/companion/contract';
import { pointerMembers, toCanonical } from 'countersign/companion/values';
import type { Contract, Notification } from 'countersign/kit';
import { pairByEach, type Pairs } from './diff-items.ts';

/** The callback that a notification is, as its operation states it. */
export interface Callback {
  /** The method and path of the operation, without the names of parameters. */
  readonly of: string;
  readonly name: string;
  /** The expression of its address. */
  readonly expression: string;
}

/** Returns the callback of an operation in `paths` that a notification is. */
export function callbackOf({ pointer }: Notification): Callback | undefined {
  const [section, path = '', method = '', callbacks, name = '', expression = ''] =
    pointerMembers(pointer);
  if (section !== 'paths' || callbacks !== 'callbacks') return undefined;
  return { of: `${method} ${normalizeTemplate(path)}`, name, expression };
}

/**
 * Pairs the notifications of two contracts by what identifies them on the wire: the address, the method and the message;
 * or the operation and the callback. What is left is paired by the name in the contract, or by the same payload at one
 * address.
 */
export function pairNotifications(base: Contract, head: Contract): Pairs<Notification> {
  const payloads = new Map([...payloadsOf(base), ...payloadsOf(head)]);
  return pairByEach(base.notifications, head.notifications, [
    // Several webhooks can refer to one path item.
    ({ places, method, label, id }) => toCanonical([places.slice(0, 3), method, label?.path, id]),
    ({ places, method, label }) => toCanonical([places.slice(0, 3), method, label?.path]),
    addressOf,
    byCallback(({ name, expression }) => [name, expression]),
    byCallback(({ name }) => [name]),
    byCallback(({ expression }) => [expression]),
    ({ id, method }) => toCanonical([id, method]),
    ({ id }) => id,
    // What receivers tell from all others is the same on the wire, whatever its name in the document is.
    (notification) => {
      const { ambiguousWith, label, method } = notification;
      if (label === undefined || ambiguousWith.length > 0) return undefined;
      return toCanonical([method, normalizeTemplate(label.path), payloads.get(notification)]);
    },
  ]);
}

function payloadsOf({ notifications, schemas }: Contract): readonly [Notification, unknown][] {
  const definitions = new Map(schemas.map(({ name, definition }) => [name, definition]));
  return notifications.map((notification) => [notification, definitions.get(notification.payload)]);
}

/** Returns the address, method and message of a notification with a path. */
function addressOf(notification: Notification): string | undefined {
  const { pointer, method, label } = notification;
  if (label === undefined || callbackOf(notification) !== undefined) return undefined;
  const message = pointer.startsWith('asyncapi') ? pointerMembers(pointer).at(-1) : undefined;
  return toCanonical([method, normalizeTemplate(label.path), message]);
}

function byCallback(
  identify: (callback: Callback) => readonly string[],
): (notification: Notification) => string | undefined {
  return (notification) => {
    const callback = callbackOf(notification);
    return callback && toCanonical([callback.of, notification.method, ...identify(callback)]);
  };
}

/** Returns what notifications are called in reports: their ids, with the address if several have the same. */
export function createNotificationSubject({
  notifications,
}: Contract): (notification: Notification) => string {
  const byId = Map.groupBy(notifications, ({ id }) => id);
  return ({ id, label, name }) =>
    (byId.get(id)?.length ?? 0) > 1
      ? `notification ${id} (${label?.path ?? name})`
      : `notification ${id}`;
}
