import type { EventState } from '@countersign/runtime/inbox';

/** What `countersign inbox` can do. */
export const inboxActions = [
  'list',
  'show',
  'export',
  'retry',
  'replay',
  'discard',
  'stats',
  'audit',
  'console',
] as const;

export type InboxAction = (typeof inboxActions)[number];

/** Every state of an event: the compiler reports one that is missing. */
export const inboxStates = Object.keys({
  ready: 0,
  waiting: 0,
  retry: 0,
  working: 0,
  done: 0,
  dead: 0,
  discarded: 0,
} satisfies Record<EventState, 0>) as EventState[];
