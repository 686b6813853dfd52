// Handles events whose effects are in the same database.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { InboxError, isInboxError } from '../errors.ts';
import { passFailpoint } from '../store.ts';
import { type Claims, createClaims } from './claims.ts';
import {
  openDatabase,
  rollBack,
  type SqliteSettings,
  type TrackedFiles,
  trackFiles,
} from './database.ts';
import { toFailure, toInboxError } from './messages.ts';
import { type ClaimReference, createKeyQueue } from './receive.ts';
import type { Writer } from './writer.ts';

/** The effect of an event on the application's tables in the database of the inbox. */
export interface Commit {
  readonly commit: (database: DatabaseSync) => unknown;
}

/**
 * Returns the effect of an event. The function runs with the completion of the event in one transaction, so what it
 * writes to the database takes effect once. It must be synchronous, and must not begin or end a transaction. Wait for
 * everything before.
 *
 * The function must be repeatable: events that are ready at the same time share a transaction, with a savepoint each.
 * If that transaction fails, it is undone, and the function of each event runs again in a transaction of its own. So
 * change nothing but the database in it.
 */
export function commit(run: (database: DatabaseSync) => unknown): Commit {
  return { commit: run };
}

/** Milliseconds after which a transaction takes no further event: the event loop waits for it. */
const maxTransactionMs = 8;

/** The same while receipts of this process wait for the end of the transaction. */
const maxTransactionBeforeReceiptsMs = 2;

/** SQLite's code for a database that another connection writes to. */
const busyCode = 5;

/**
 * SQLite's codes for failures that no effect causes: out of memory, read-only, input or output, a damaged or full
 * file, a file that cannot be opened, a lock that cannot be taken, and a file that is not a database.
 */
const codesOfStore: ReadonlySet<number> = new Set([7, 8, 10, 11, 13, 14, 15, 26]);

/** An event whose effects have to run. */
interface PendingEvent {
  readonly effects: readonly Commit[];
  readonly claim: ClaimReference;
  readonly now: number;
  /** The time of `performance.now()` until which another process may hold the lock. */
  readonly deadline: number;
  readonly resolve: (completed: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** What happened to an event: whether its claim was held, or the error of its effect. */
type Settlement = { readonly completed: boolean } | { readonly error: unknown };

/** What happened in a transaction. */
type TransactionResult =
  | { readonly settlements: readonly Settlement[] }
  /** Nothing was committed. `tried` is the number of events that it ran; 0 if it could not begin. */
  | { readonly error: unknown; readonly tried: number }
  /** Another process is writing. */
  | 'busy';

/** A connection with its statements. */
interface Connection {
  readonly database: DatabaseSync;
  readonly files: TrackedFiles;
  readonly claims: Claims;
  readonly save: StatementSync;
  readonly undo: StatementSync;
  readonly release: StatementSync;
}

/** The failure of an effect, with the error of the application as it is. */
class EffectFailure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Runs the effects of a store on a connection of the main thread. The connection is opened by the first one. */
export class Effects {
  readonly #settings: SqliteSettings;
  readonly #writer: Writer;
  readonly #queue = new Set<PendingEvent>();
  /** Those of the queue whose common transaction failed: each runs in a transaction of its own. */
  readonly #alone = new Set<PendingEvent>();
  #open: Connection | undefined;
  #running: Promise<void> | undefined;

  constructor(settings: SqliteSettings, writer: Writer) {
    this.#settings = settings;
    this.#writer = writer;
  }

  /**
   * Runs the effects of an event and completes it in one transaction. Events that wait at the same time share a
   * transaction, with a savepoint each. If the transaction fails, each of them runs again in its own. Returns false if
   * the claim was lost.
   */
  apply(effects: readonly Commit[], claim: ClaimReference, now: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.#settings.busyTimeoutMs;
      this.#queue.add({ effects, claim, now, deadline, resolve, reject });
      if (this.#running === undefined) this.#running = this.#run();
    });
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }

  #connect(): Connection {
    if (this.#open !== undefined) return this.#open;
    // The event loop must not wait for a lock: a busy database is tried again later.
    const database = openDatabase(this.#settings, 0);
    // A checkpoint waits for the disk, too. The writer thread makes them.
    database.exec('PRAGMA wal_autocheckpoint = 0');
    this.#open = {
      database,
      files: trackFiles(this.#settings.path),
      claims: createClaims(database, createKeyQueue(database)),
      save: database.prepare('SAVEPOINT inbox_event'),
      undo: database.prepare('ROLLBACK TO inbox_event'),
      release: database.prepare('RELEASE inbox_event'),
    };
    return this.#open;
  }

  /** Runs events in one transaction until its time is over, at least one. */
  #runTogether(events: readonly PendingEvent[]): TransactionResult {
    let connection: Connection;
    try {
      connection = this.#connect();
      connection.files.check();
      connection.database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      return primaryCode(error) === busyCode ? 'busy' : { error: toStoreError(error), tried: 0 };
    }
    const { database } = connection;
    const settlements: Settlement[] = [];
    const limitMs = this.#writer.hasWaitingReceipts()
      ? maxTransactionBeforeReceiptsMs
      : maxTransactionMs;
    const end = performance.now() + limitMs;
    try {
      for (const event of events) {
        settlements.push(runEvent(connection, event));
        if (performance.now() >= end) break;
      }
    } catch (error) {
      this.#abandon(connection);
      const cause = error instanceof EffectFailure ? error.error : toStoreError(error);
      return { error: cause, tried: settlements.length + 1 };
    }
    try {
      database.exec('COMMIT');
      return { settlements };
    } catch (error) {
      this.#abandon(connection);
      // What an effect has left is checked here, such as a deferred constraint.
      const ofStore = codesOfStore.has(primaryCode(error) ?? Number.NaN);
      return { error: ofStore ? toStoreError(error) : error, tried: settlements.length };
    }
  }

  /** Ends a transaction that failed. */
  #abandon({ database, save, release }: Connection): void {
    rollBack(database);
    if (tryRun(save) && tryRun(release)) return;
    // A statement that an effect has left unfinished makes every later transaction fail.
    database.close();
    this.#open = undefined;
  }

  /** Runs some of the events that wait. Returns false if another process is writing. */
  #runSome(): boolean {
    const [first] = this.#queue;
    if (first === undefined) return true;
    const events = this.#alone.has(first)
      ? [first]
      : [...this.#queue].filter((event) => !this.#alone.has(event));
    const result = this.#runTogether(events);
    if (result === 'busy') return false;
    if ('settlements' in result)
      for (const [index, settlement] of result.settlements.entries())
        this.#settle(events[index] ?? first, settlement);
    else if (result.tried === 0 || events.length === 1)
      for (const event of events) this.#settle(event, result);
    else for (const event of events.slice(0, result.tried)) this.#alone.add(event);
    return true;
  }

  #settle(event: PendingEvent, settlement: Settlement): void {
    this.#queue.delete(event);
    this.#alone.delete(event);
    if ('error' in settlement) event.reject(settlement.error);
    else event.resolve(settlement.completed);
  }

  async #run(): Promise<void> {
    try {
      while (this.#queue.size > 0) {
        let progress = true;
        // The thread of this process waits meanwhile, so only other processes can hold the lock.
        await this.#writer.takeTurn(() => {
          progress = this.#runSome();
        });
        if (progress) continue;
        const now = performance.now();
        const error = new InboxError('store-failed', 'Another process holds the lock of the inbox');
        for (const event of this.#queue) if (now > event.deadline) this.#settle(event, { error });
        await delay(1 + Math.random() * 4);
      }
    } catch (error) {
      // The writer thread ended, or the store was closed.
      for (const event of this.#queue) this.#settle(event, { error });
    } finally {
      this.#running = undefined;
    }
  }
}

/**
 * Completes an event and runs its effects within a savepoint.
 * @throws EffectFailure if the savepoint cannot be undone, so that the transaction has failed
 */
function runEvent(connection: Connection, { effects, claim, now }: PendingEvent): Settlement {
  const { database, claims, save, undo, release } = connection;
  save.run();
  try {
    // The completion goes first, so that a lost claim has no effect.
    const completed = claims.complete(claim, now);
    if (completed) for (const effect of effects) runEffect(effect, database);
    passFailpoint('handle:in-transaction');
    if (!tryRun(release)) throw new EffectFailure(noSavepoint());
    return { completed };
  } catch (error) {
    if (error instanceof EffectFailure && tryRun(undo) && tryRun(release))
      return { error: error.error };
    throw error;
  }
}

/** Runs a statement about the savepoint. Returns false if that fails. */
function tryRun(statement: StatementSync): boolean {
  try {
    statement.run();
    return true;
  } catch {
    return false;
  }
}

function noSavepoint(): InboxError {
  return new InboxError(
    'transaction-failed',
    'The function of `commit` ended its transaction, or left a statement unfinished. ' +
      'What it committed itself is not undone, and can happen again.',
  );
}

/** @throws EffectFailure */
function runEffect(effect: Commit, database: DatabaseSync): void {
  let returned: unknown;
  try {
    returned = effect.commit(database);
  } catch (error) {
    // The codes of the store's own failures are not those of an effect.
    throw new EffectFailure(
      isInboxError(error)
        ? new InboxError('transaction-failed', 'The function of `commit` failed', { cause: error })
        : error,
    );
  }
  if (!isThenable(returned)) return;
  // The rejection of a promise that no caller waits for would end the process.
  returned.then(undefined, () => undefined);
  throw new EffectFailure(
    new InboxError(
      'promise-in-transaction',
      'The function of `commit` returned a promise. Wait before `commit`, and write synchronously in it.',
    ),
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function toStoreError(error: unknown): InboxError {
  return toInboxError(toFailure(error));
}

/** Returns SQLite's code of an error. Extended codes have the primary code in their lowest byte. */
function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}
