import type { EventState } from './event-state.ts';

/** What operators do with the events of a filter. */
export type ChangeAction = 'retry' | 'replay' | 'discard';

/**
 * The states from which each action takes an event. A retry or replay takes a discarded event only if the filter names it
 * alone in `ids`: an operator has decided about it.
 */
export const changedStates: Readonly<Record<ChangeAction, readonly EventState[]>> = {
  retry: ['retry', 'dead', 'discarded'],
  replay: ['retry', 'dead', 'discarded', 'done'],
  discard: ['ready', 'waiting', 'retry', 'dead'],
};

/** What an action would change. */
export interface ChangePreview {
  readonly events: number;
  /** How many events of each kind and state, most first; at most 100 entries. `kind` is undefined for events without kind. */
  readonly groups: readonly ChangeGroup[];
  /** When the oldest and the newest of them were received. Undefined if there are none. */
  readonly oldestReceivedAt: number | undefined;
  readonly newestReceivedAt: number | undefined;
}

/** Events of one kind and state that an action would change. */
export interface ChangeGroup {
  readonly kind: string | undefined;
  readonly state: EventState;
  readonly events: number;
}

/** The maximum number of groups of a preview. */
export const maxGroups = 100;

/** Returns the SQL of the states from which an action takes the events of a filter. */
export function statesOf(
  action: ChangeAction,
  { ids }: { readonly ids?: readonly string[] },
): string {
  return changedStates[action]
    .filter((state) => state !== 'discarded' || ids?.length === 1)
    .map((state) => `'${state}'`)
    .join(', ');
}
