export { InboxError, type InboxErrorCode } from './inbox-error.ts';
