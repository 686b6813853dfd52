/**
 * The state of an event.
 *
 * - `ready`: can be claimed now.
 * - `waiting`: another event of its key is handled first.
 * - `retry`: failed, and is claimed again at a later time.
 * - `working`: claimed by a worker.
 * - `done`: handled.
 * - `dead`: failed as often as the worker permits.
 * - `discarded`: removed from the queue by an operator.
 */
export type EventState = 'ready' | 'waiting' | 'retry' | 'working' | 'done' | 'dead' | 'discarded';

/** Every state of an event. */
export const eventStates: readonly EventState[] = [
  'ready',
  'waiting',
  'retry',
  'working',
  'done',
  'dead',
  'discarded',
];
