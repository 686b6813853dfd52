import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { passFailpoint } from '../failpoint.ts';
import { InboxError } from '../inbox-error.ts';
import { createClaims, type ClaimReference, type Claims } from './claims.ts';
import type { Commit } from './commit.ts';
import { createKeyQueue } from './key-queue.ts';
import { openDatabase } from './open-database.ts';
import type { SqliteSettings } from './options.ts';
import { toFailure, toInboxError } from './to-failure.ts';
import { transact } from './transact.ts';
import type { Writer } from './writer.ts';

/** SQLite's code for a database that another connection writes to. */
const busyCode = 5;

/** Runs effects on a connection of the main thread. */
export interface Effects {
  /** Runs the effects of an event and completes it in one transaction. Returns false if the claim was lost. */
  apply(effects: readonly Commit[], claim: ClaimReference, now: number): Promise<boolean>;
  close(): void;
}

/** Rejects with the error of the application as it is. */
class EffectFailure {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/** Creates the effects of a store. The connection is opened by the first one. */
export function createEffects(settings: SqliteSettings, writer: Writer): Effects {
  let open: { database: DatabaseSync; claims: Claims } | undefined;

  function connect(): { database: DatabaseSync; claims: Claims } {
    if (open !== undefined) return open;
    // The event loop must not wait for a lock: a busy database is tried again later.
    const database = openDatabase(settings, 0);
    open = { database, claims: createClaims(database, createKeyQueue(database)) };
    return open;
  }

  /** Returns undefined if another process is writing. */
  function attempt(
    effects: readonly Commit[],
    claim: ClaimReference,
    now: number,
  ): boolean | undefined {
    try {
      const { database, claims } = connect();
      return transact(database, () => {
        // The completion goes first, so that a lost claim has no effect.
        if (!claims.complete(claim, now)) return false;
        for (const effect of effects) runEffect(effect, database);
        passFailpoint('handle:in-transaction');
        return true;
      });
    } catch (error) {
      if (error instanceof EffectFailure) throw error.error;
      if (isBusy(error)) return undefined;
      throw toInboxError(toFailure(error));
    }
  }

  return {
    async apply(effects, claim, now) {
      const deadline = performance.now() + settings.busyTimeoutMs;
      for (;;) {
        let completed: boolean | undefined;
        // The thread of this process waits meanwhile, so only other processes can hold the lock.
        await writer.takeTurn(() => {
          completed = attempt(effects, claim, now);
        });
        if (completed !== undefined) return completed;
        if (performance.now() > deadline)
          throw new InboxError('store-failed', 'Another process holds the lock of the inbox');
        await delay(1 + Math.random() * 4);
      }
    },
    close() {
      open?.database.close();
      open = undefined;
    },
  };
}

function runEffect(effect: Commit, database: DatabaseSync): void {
  let returned: unknown;
  try {
    returned = effect.commit(database);
  } catch (error) {
    throw new EffectFailure(error);
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

/** Extended codes have the primary code in their lowest byte. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === busyCode
  );
}
