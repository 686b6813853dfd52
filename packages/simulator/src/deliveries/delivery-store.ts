import type { DeliveryEntry, Entry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import type { Delivery } from '../simulator.ts';
import { isRefused } from './choose-faults.ts';

/** A delivery that changes while attempts follow. */
export interface LiveDelivery extends Delivery {
  readonly attempts: DeliveryEntry[];
  state: Delivery['state'];
  unsent?: string;
}

/** Returns whether a receiver has acknowledged the content of a delivery, and not an attempt that it should refuse. */
export function isDelivered(attempts: readonly DeliveryEntry[]): boolean {
  return attempts.some(({ isAcknowledged, faults }) => isAcknowledged && !isRefused(faults));
}

/** The maximum number of attempts that are read: a journal in a file can have any number. */
const maxListed = 10_000;

/** Returns the deliveries with attempts among the newest of a journal, and those that are pending. */
export function listDeliveries(
  journal: Journal,
  pending: Iterable<LiveDelivery>,
): readonly Delivery[] {
  const live = new Map<string, LiveDelivery>();
  for (const delivery of pending) live.set(delivery.id, delivery);
  const listed = new Set<Delivery>();
  const latest = new Map<string, LiveDelivery>();
  for (const entry of journal.list({ type: 'delivery', pageSize: maxListed }).filter(isDelivery)) {
    const current = live.get(entry.delivery);
    if (current?.attempts.some(({ id }) => id === entry.id) === true) {
      listed.add(current);
      continue;
    }
    const latestDelivery = latest.get(entry.delivery);
    // A journal that survives a restart can have several deliveries with one id, if the seed is the same.
    if (latestDelivery === undefined || entry.attempt === 1) {
      const { delivery: id, kind } = entry;
      const restoredDelivery: LiveDelivery = { id, kind, attempts: [entry], state: 'failed' };
      latest.set(id, restoredDelivery);
      listed.add(restoredDelivery);
    } else latestDelivery.attempts.push(entry);
    const changed = latest.get(entry.delivery);
    if (changed !== undefined)
      changed.state = isDelivered(changed.attempts) ? 'acknowledged' : 'failed';
  }
  return [...listed, ...[...live.values()].filter((delivery) => !listed.has(delivery))];
}

function isDelivery(entry: Entry): entry is DeliveryEntry {
  return entry.type === 'delivery';
}
