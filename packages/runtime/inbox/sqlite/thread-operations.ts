import type { DatabaseSync } from 'node:sqlite';
import { createAlerts, type AlertOperations } from './alerts.ts';
import { createClaims, type Claims } from './claims.ts';
import { createInspection, type Inspection } from './inspect.ts';
import { createKeyQueue } from './key-queue.ts';
import { createOperations, type Act, type Operations } from './operate.ts';
import { createReceive, createTryToStore, type ReceiveReceipt } from './receive.ts';
import type { InboxEventWithPayload } from '../store.ts';

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
export type OperationKind =
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
