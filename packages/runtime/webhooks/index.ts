export type { NormalizationNode } from './normalization.ts';
export { atPublicUrl } from './at-public-url.ts';
export {
  allOf,
  anyOf,
  unauthenticated,
  verifiedBy,
  type Authentication,
  type SecretFailure,
  type Verdict,
} from './authentication.ts';
export type {
  Catalogue,
  CatalogueFields,
  Check,
  Form,
  FormCheck,
  Kind,
  Violation,
} from './catalogue.ts';
export { choose } from './choose.ts';
export type { Decision, DecisionNode, Next, Read, ValueType } from './decision.ts';
export { deferReceiver } from './deferred-receiver.ts';
export { describeFailure, type FailureDescription } from '../base/describe-failure.ts';
export {
  DeliveryContext,
  type AmbiguousEvent,
  type Event,
  type Handler,
  type InvalidAnswer,
  type InvalidDelivery,
  type InvalidReason,
  type NumbersAsText,
  type UnidentifiedEvent,
} from './event.ts';
export type { Field, FieldShape, KindFields } from './fields.ts';
export type {
  DeliveryInbox,
  DeliveryContent,
  EventKeys,
  InboxDelivery,
  ReceivedEvent,
  Replacement,
  StoredParts,
} from './inbox.ts';
export type { Label } from './label.ts';
export type { MaybePromise } from './maybe-promise.ts';
export type {
  DeliveryRecord,
  OnInvalid,
  Otherwise,
  Reactions,
  ReceiverOptions,
  StoringOptions,
} from './options.ts';
export type { Outcome, Reason, Responses } from './outcome.ts';
export type { NumberMode } from '../base/number-mode.ts';
export type { BodyFault } from './parse-body.ts';
export type { PublicUrl } from '../base/public-url.ts';
export { readFields } from './read-fields.ts';
export { createReceiver, type Receive } from './receiver.ts';
export {
  createMemoryReplayStore,
  type MemoryReplayStoreOptions,
  type ReplayStore,
} from './replay-store.ts';
export type { DeliveredRequest, HeaderLookup, IncomingRequest, Waiting } from './request.ts';
export type { Route, RouteSegment } from './routes.ts';
export { withHeader } from './secret-test.ts';
export { sharedSecret, type SecretPlace } from './shared-secret.ts';
export { WebhookError, type Rejection, type WebhookErrorCode } from './webhook-error.ts';
