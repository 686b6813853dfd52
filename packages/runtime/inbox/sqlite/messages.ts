import type { InboxErrorCode } from '../inbox-error.ts';
import type { SqliteSettings } from './options.ts';
import type { OperationName, ThreadOperations } from './thread-operations.ts';

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
export interface Failure {
  readonly code: InboxErrorCode;
  readonly message: string;
}

/** The answer to a call. */
export type Answer =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly failure: Failure };

/** A message from the writer thread. `turn`: it writes nothing until the main thread returns the turn. */
export type FromThread = readonly Answer[] | 'turn' | { readonly failedToOpen: Failure };
