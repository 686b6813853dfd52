export { ConsoleError, type ConsoleErrorCode } from './console-error.ts';
export type {
  EventBlocker,
  EventRejection,
  EventSelection,
  OperatedEvent,
  OperatedInbox,
  OperatedStats,
  OperationRecord,
  RevealedEvent,
} from './inbox/operated-inbox.ts';
export { startInboxConsole, type InboxConsoleOptions } from './inbox/start-inbox-console.ts';
export type { PageFiles } from './page-files.ts';
export type { Console } from './serve.ts';
