export type { InboxDescription, RevealedEventData } from '../../src/inbox-console/inbox-routes.ts';
export type {
  OperatedEvent,
  OperatedStats,
  OperationRecord,
} from '../../src/inbox-console/operated-inbox.ts';
