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

/** Returns how many of the events have each kind, such as `2 shipDocked, 1 of no kind`. */
export function countKinds(events: readonly OperatedEvent[]): string {
  const kinds = new Map<string, number>();
  for (const { kind = 'of no kind' } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return Array.from(kinds, ([kind, count]) => `${count} ${kind}`).join(', ');
}
