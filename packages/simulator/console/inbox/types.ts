export type { InboxDescription, RevealedEventData } from '../../src/inbox-console/inbox-routes.ts';
export type {
  EventBlocker,
  EventRejection,
  OperatedEvent,
  OperatedStats,
  OperationRecord,
} from '../../src/inbox-console/operated-inbox.ts';
