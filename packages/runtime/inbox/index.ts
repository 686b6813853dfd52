export {
  changedStates,
  type ChangeAction,
  type ChangeGroup,
  type ChangePreview,
} from './change.ts';
export type { HandlerDecisions } from './decisions.ts';
export {
  encryptedStore,
  type CipherContext,
  type EncryptedStoreOptions,
  type PayloadCipher,
} from './encrypted-store.ts';
export { eventStates, type EventState } from './event-state.ts';
export {
  exportEvents,
  type ExportedEvent,
  type ExportOptions,
  type WithheldReason,
} from './export-events.ts';
export type { Failpoint } from './failpoint.ts';
export { createInbox, type Inbox, type ReceiptFailure, type InboxOptions } from './inbox.ts';
export { InboxError, type InboxErrorCode } from './inbox-error.ts';
export type {
  DeliveryContent,
  InboxDelivery,
  Receipt,
  Received,
  ReceivedEvent,
  Replacement,
  StoreResult,
} from './receipt.ts';
export type { EventViolation, Rejection } from './rejection.ts';
export type { KindOptions } from './kind-options.ts';
export { createProbes, type ProbeAnswer, type Probes } from './probes.ts';
export { retentionActor, type Retention } from './retention.ts';
export type { RetryOptions } from './retry.ts';
export {
  maxLeaseMs,
  type AlertReference,
  type AuditPruning,
  type AuditRecord,
  type Blocker,
  type Claim,
  type ClaimRequest,
  type DeadLetterAlert,
  type DeletionRequest,
  type DeletionResult,
  type EventFilter,
  type EventPage,
  type Failure,
  type InboxEvent,
  type InboxEventWithPayload,
  type InboxOperations,
  type InboxStats,
  type InboxStore,
  type PageRequest,
  type InterruptedSelection,
  type KindShare,
} from './store.ts';
export type { AttemptResult, InboxTelemetry } from './telemetry.ts';
export { createWorker } from './worker.ts';
export type {
  EndedAttempt,
  FailedEvent,
  HandlerContext,
  InboxHandler,
  InboxWorker,
  Readiness,
  WorkerOptions,
} from './worker-options.ts';
