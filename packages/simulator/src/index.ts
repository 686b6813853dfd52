export type { Clock, Duration } from './clock.ts';
export { createSimulator } from './create-simulator.ts';
export type {
  CallEntry,
  CheckStep,
  DeliveryEntry,
  Deviation,
  Entry,
  RecordedBody,
  RecordedRequest,
  RecordedResponse,
  SignatureReport,
  StepEntry,
} from './entry.ts';
export {
  callFaults,
  deliveryFaults,
  type CallFault,
  type DeliveryFault,
  type FaultName,
  type Faults,
} from './faults.ts';
export type { EntryFilter, Journal } from './journal.ts';
export { createMemoryJournal } from './memory-journal.ts';
export { deliveredSchemes } from './delivered-schemes.ts';
export { hasKeyPair, keyUseOf } from './deliveries/proofs/proofs.ts';
export type * from './service.ts';
export { SimulatorError, type SimulatorErrorCode } from './sending/simulator-error.ts';
export type {
  CallAnswer,
  CheckedCall,
  ClientCertificateOptions,
  Delivery,
  DeliveryAuthentication,
  PlannedDelivery,
  PlanOptions,
  RetryOptions,
  Simulator,
  SimulatorOptions,
  TriggerOptions,
} from './simulator.ts';
export { openSqliteJournal } from './sqlite-journal.ts';
export type { RunOptions, StepState, WorkflowRun } from './workflow-run.ts';
export { toJunit } from './workflows/junit.ts';
export { findUnsupported, type UnsupportedFeature } from './workflows/unsupported.ts';
