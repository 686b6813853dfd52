import type { OperatedEvent } from './types.ts';

/** What an operator does with events. */
export type Action = 'retry' | 'replay' | 'discard';

/** The names of the actions on buttons. */
export const actionNames: Readonly<Record<Action, string>> = {
  retry: 'Retry',
  replay: 'Replay',
  discard: 'Discard',
};

/** The states from which the page offers each action. */
const possible: Readonly<Record<Action, readonly string[]>> = {
  retry: ['retry', 'dead', 'discarded'],
  replay: ['done'],
  discard: ['ready', 'waiting', 'retry', 'dead'],
};

/** Returns whether the page offers an action for an event. */
export function isPossible(action: Action, { state }: OperatedEvent): boolean {
  return possible[action].includes(state);
}

/**
 * Returns the events that an action for the whole list changes. Discarded events are not among them: an operator has
 * decided about each, so that each is retried by itself.
 */
export function changedTogether(
  action: Action,
  events: readonly OperatedEvent[],
): readonly OperatedEvent[] {
  return events.filter((event) => event.state !== 'discarded' && isPossible(action, event));
}

/** Returns how many of the events have each kind and state, such as `2 shipDocked (dead), 1 of no kind (retry)`. */
export function countEvents(events: readonly OperatedEvent[]): string {
  const counts = new Map<string, number>();
  for (const { kind = 'of no kind', state } of events) {
    const group = `${kind} (${state})`;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return Array.from(counts, ([group, count]) => `${count} ${group}`).join(', ');
}
