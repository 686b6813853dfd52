// What the main thread and the writer thread say to each other.

import type { DatabaseSync } from 'node:sqlite';
import { InboxError, type InboxErrorCode, isInboxError } from '../errors.ts';
import type { InboxEventWithPayload } from '../store.ts';
import { type AlertOperations, type Claims, createAlerts, createClaims } from './claims.ts';
import type { SqliteSettings } from './database.ts';
import {
  type Act,
  createInspection,
  createOperations,
  type Inspection,
  type Operations,
} from './operate.ts';
import { createKeyQueue, createReceive, createTryToStore, type ReceiveReceipt } from './receive.ts';

/** What the writer thread does for the store. */
export interface ThreadOperations
  extends Claims, AlertOperations, Omit<Inspection, 'getWithPayload'>, Operations {
  receive: ReceiveReceipt;
  tryToStore: () => void;
  reveal(id: string, act: Act): InboxEventWithPayload | undefined;
}

/** The name of an operation of the writer thread. */
export type OperationName = keyof ThreadOperations;

/** How an operation uses the database. */
type OperationKind =
  /** Writes, and has to reach the disk before it is answered. */
  | 'durable'
  /** Writes what can be lost in a power failure: the event is then claimed again. */
  | 'volatile'
  | 'read';

/** How each operation uses the database. */
export const operationKinds: Readonly<Record<OperationName, OperationKind>> = {
  receive: 'durable',
  tryToStore: 'durable',
  claim: 'volatile',
  extend: 'volatile',
  complete: 'durable',
  fail: 'durable',
  bury: 'durable',
  replace: 'durable',
  claimAlert: 'volatile',
  settleAlert: 'durable',
  release: 'volatile',
  correctClock: 'durable',
  hasInterrupted: 'read',
  stats: 'read',
  list: 'read',
  preview: 'read',
  get: 'read',
  audit: 'read',
  reveal: 'durable',
  retry: 'durable',
  replay: 'durable',
  discard: 'durable',
  delete: 'durable',
  pruneAudit: 'durable',
  record: 'durable',
};

/** Prepares every statement for a connection. */
export function createThreadOperations(database: DatabaseSync): ThreadOperations {
  const keys = createKeyQueue(database);
  const { getWithPayload, ...inspection } = createInspection(database);
  const operations = createOperations(database, keys);
  return {
    ...createClaims(database, keys),
    ...createAlerts(database),
    ...inspection,
    ...operations,
    receive: createReceive(database, keys),
    tryToStore: createTryToStore(database),
    reveal(id, act) {
      const event = getWithPayload(id);
      if (event !== undefined) operations.record('reveal', id, act);
      return event;
    },
  };
}

/** What the writer thread gets when it starts. */
export interface ThreadData {
  readonly settings: SqliteSettings;
  /** One number: 0 while the writer thread has given its turn to the main thread. */
  readonly turn: SharedArrayBuffer;
}

/** A call of one operation. */
export type OperationCall = {
  [Name in OperationName]: {
    readonly call: number;
    readonly name: Name;
    readonly parameters: Parameters<ThreadOperations[Name]>;
  };
}[OperationName];

/** A message to the writer thread. */
export type ToThread = OperationCall | 'turn' | 'close';

/** An InboxError, as it crosses the threads. */
interface Failure {
  readonly code: InboxErrorCode;
  readonly message: string;
}

/** The answer to a call. */
export type Answer =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly failure: Failure };

/** A message from the writer thread. `turn`: it writes nothing until the main thread returns the turn. */
export type FromThread = readonly Answer[] | 'turn' | { readonly failedToOpen: Failure };

/** Returns an error as data. Messages of SQLite name tables and files, and contain no values. */
export function toFailure(error: unknown): Failure {
  if (isInboxError(error)) return { code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : 'unknown error';
  return { code: 'store-failed', message: `The inbox's database failed: ${reason}` };
}

/** Returns the InboxError of a failure. */
export function toInboxError(failure: Failure): InboxError {
  return new InboxError(failure.code, failure.message);
}
