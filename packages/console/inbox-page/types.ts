export type { InboxDescription, RevealedEventData } from '../src/inbox/inbox-routes.ts';
export type {
  EventBlocker,
  EventRejection,
  OperatedEvent,
  OperatedStats,
  OperationRecord,
} from '../src/inbox/operated-inbox.ts';
