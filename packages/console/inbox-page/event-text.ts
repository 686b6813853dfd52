import { dateText } from './date-text.ts';
import type { EventBlocker, OperatedEvent } from './types.ts';

/** Returns the kind of an event; the possible kinds, with a question mark, if its delivery violates the contract. */
export function kindText({ kind, rejection }: OperatedEvent): string {
  if (kind !== undefined) return kind;
  const { kinds = [] } = rejection ?? {};
  return kinds.length === 0 ? 'Unknown kind' : `${kinds.join(' | ')}?`;
}

/** Returns why an event is not handled yet, in one line. A failure of an event that is handled is not a reason. */
export function reasonText(event: OperatedEvent): string {
  const { state, error, rejection, attempts, waitsFor } = event;
  if (state === 'done') return '';
  const [first, ...rest] = rejection?.violations ?? [];
  const further = rest.length + (rejection?.omitted ?? 0);
  const violation = first && [first.pointer, first.keyword].filter(Boolean).join(' ');
  return [
    attempts === 0 ? undefined : `${attempts} failed`,
    error,
    violation && (further === 0 ? violation : `${violation}, ${further} more`),
    waitsFor && `waits for ${waitsFor.id} (${waitsFor.state})`,
  ]
    .filter((text) => text !== undefined)
    .join('  ');
}

/** Returns what has to happen before a waiting event is handled. */
export function waitText(waitsFor: EventBlocker): string {
  return `${waitsFor.kind ?? 'the event'} ${waitsFor.id}, ${stateText(waitsFor)}`;
}

function stateText({ state, until }: EventBlocker): string {
  const time = until === undefined ? '' : dateText(until);
  if (state === 'dead') return 'a dead letter: retry or discard it';
  if (state === 'retry') return `which is tried again at ${time}`;
  return state === 'working' ? `in work, with a lease until ${time}` : 'which is handled first';
}
