import { BlockedCount } from '../blocked-count.ts';
import { checkLease } from '../check-lease.ts';
import { deleteInParts } from '../delete-in-parts.ts';
import { passFailpoint } from '../failpoint.ts';
import { createFailureWarnings } from '../failure-warnings.ts';
import { InboxError } from '../inbox-error.ts';
import { PayloadCache } from '../payloads.ts';
import { writeRejection } from '../rejection.ts';
import type { Claim, InboxStore } from '../store.ts';
import { addUpCounts } from './add-up-counts.ts';
import { alertAssignments, claimAlert, settleAlert } from './alerts.ts';
import { createServerCheck } from './check-server.ts';
import {
  changeClaimed,
  claimStatement,
  extendClaims,
  hasInterrupted,
  inOrderOfLocks,
  readClaim,
  type ClaimChange,
} from './claims.ts';
import { integerLiteral, optionalLiteral, textLiteral } from './encode-text.ts';
import { handleInTransaction } from './handle.ts';
import {
  getEvent,
  getEventWithPayload,
  listEvents,
  previewChange,
  readAudit,
  readStats,
} from './inspect.ts';
import { migrate, readMigrations } from './migrate.ts';
import { changeEvents, deletePayloads, pruneAudit, record } from './operate.ts';
import { readSettings, type PostgresStoreOptions } from './options.ts';
import type { ClientOf, PostgresClient, PostgresPool } from './pool.ts';
import { prepareReceipt, writeReceipts } from './receive.ts';
import { createReceiptQueue } from './receipt-queue.ts';
import { slotsOf } from './slots.ts';
import { toStoreError } from './to-store-error.ts';
import { createTransact, type Work } from './transact.ts';

/** What a handler gets from this store beside its event. */
export interface PostgresScope<Client> {
  /**
   * A connection with an open transaction. What the handler writes with it is committed together with the completion of
   * the event, so it takes effect once. The connection cannot be used after the handler has returned.
   */
  readonly transaction: Client;
}

/** What a handler returns: nothing. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a handler without `return` is one without result
export type PostgresResult = undefined | void;

/** A store in a Postgres database. */
export interface PostgresStore<Client> extends InboxStore<PostgresScope<Client>, PostgresResult> {
  /**
   * Creates the tables, or brings them to the version of this package. The role needs the right to create tables in the
   * schema. Several processes can call it at once.
   */
  migrate(): Promise<void>;
}

/** The number of transactions after which the counts are added up. */
const transactionsPerSum = 100;

/**
 * Opens an inbox in a Postgres database, for several machines. Problems with the server or the tables are reported by
 * the first operation. The pool belongs to the application: `close` does not end it.
 * @throws InboxError `invalid-option`
 */
export function postgresStore<Pool extends PostgresPool>(
  pool: Pool,
  options: PostgresStoreOptions = {},
): PostgresStore<ClientOf<Pool>> {
  return createStore<ClientOf<Pool>>(pool, options);
}

function createStore<Client extends PostgresClient>(
  pool: PostgresPool,
  options: PostgresStoreOptions,
): PostgresStore<Client> {
  const settings = readSettings(options);
  const { timeoutMs } = settings;
  const slots = slotsOf(pool);
  const transact = createTransact(pool, settings);
  const server = createServerCheck(transact, settings);
  const warn = createFailureWarnings();
  const payloads = new PayloadCache();
  const listeners = new Set<() => void>();
  const running = new Set<Promise<unknown>>();
  /** The time of `performance.now()` until which the lease of a claim holds at least. */
  const heldUntil = new WeakMap<Claim, number>();
  const blockedCount = new BlockedCount();
  let closed = false;
  let transactions = 0;

  const receipts = createReceiptQueue(async (batch) => {
    await server.check();
    const results = await transact('durable', async (query) => {
      const written = await writeReceipts(query, settings, batch, blockedCount);
      passFailpoint('receive:before-commit');
      return written;
    });
    passFailpoint('receive:before-acknowledgement');
    return results;
  }, timeoutMs);

  /** Runs an operation that `close` waits for, unless the store is closed. */
  async function run<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (closed) throw new InboxError('closed', 'The inbox is closed');
    const result = operation();
    running.add(result);
    try {
      return await result;
    } catch (error) {
      if (error instanceof InboxError && error.code === 'store-failed') server.reset();
      throw error;
    } finally {
      running.delete(result);
    }
  }

  /** Runs an operation on a server that is checked. Rejects with an InboxError only. */
  function operate<Result>(operation: () => Promise<Result>): Promise<Result> {
    return run(async () => {
      try {
        await server.check();
        return await operation();
      } catch (error) {
        throw toStoreError(error);
      }
    });
  }

  function read<Result>(work: Work<Result>): Promise<Result> {
    return operate(() => transact('read', work));
  }

  /** Adds up the counts from time to time. No caller waits for it, and a failed sum is repeated later. */
  function addUp(): void {
    transactions += 1;
    if (transactions % transactionsPerSum !== 0) return;
    operate(() => transact('volatile', (query) => addUpCounts(query, settings))).catch(
      (error: unknown) =>
        warn({
          code: 'COUNTERSIGN_STORE_FAILED',
          message: 'The inbox did not add up its counts',
          help: `It tries again after ${transactionsPerSum} transactions. Reading the counts takes longer until then.`,
          error,
        }),
    );
  }

  /** Notes that claims were made or renewed by a call that began at a time of `performance.now()`. */
  function hold(claims: readonly Claim[], start: number, leaseMs: number): void {
    if (settings.hasOwnClock) return;
    for (const claim of claims) heldUntil.set(claim, start + leaseMs);
  }

  async function change(claim: Claim, to: ClaimChange): Promise<'recorded' | 'lost'> {
    heldUntil.delete(claim);
    const changed = await operate(() =>
      transact('durable', (_, message) => changeClaimed(message, settings, claim, to)),
    );
    return changed ? 'recorded' : 'lost';
  }

  return {
    async receive(receipt, { maxBacklogEvents } = {}) {
      const events = await run(() => receipts.add(prepareReceipt(receipt, maxBacklogEvents)));
      addUp();
      if (events.some(({ status }) => status === 'stored'))
        for (const listener of listeners) listener();
      return events;
    },
    async claim(request) {
      checkLease(request.leaseMs);
      addUp();
      const start = performance.now();
      const claims = await payloads.claim(request.maxEvents, async (known) => {
        const statement = claimStatement(settings, request, known);
        const rows = await operate(() => transact('volatile', statement));
        return rows.map(readClaim);
      });
      hold(claims, start, request.leaseMs);
      return claims;
    },
    hasInterrupted: () => read((query) => hasInterrupted(query, settings)),
    async extend(claims, leaseMs) {
      checkLease(leaseMs);
      const start = performance.now();
      const lost = await operate(() =>
        transact('volatile', (query) => extendClaims(query, settings, claims, leaseMs)),
      );
      for (const claim of claims) heldUntil.delete(claim);
      hold(
        claims.filter(({ event }) => !lost.includes(event.id)),
        start,
        leaseMs,
      );
      return lost;
    },
    complete: (claim, handle) =>
      run(async () => {
        await server.check().catch((error: unknown) => {
          // Whatever is wrong with the server, the handler has not failed.
          const { message } = toStoreError(error);
          throw new InboxError('store-failed', message, { cause: error });
        });
        const give = await slots.take();
        try {
          return await handleInTransaction<Client>(
            pool,
            settings,
            claim,
            () => performance.now() < (heldUntil.get(claim) ?? 0),
            (transaction) => handle({ transaction }),
          );
        } finally {
          give();
        }
      }),
    fail: (claim, { error, rejection, at }) =>
      change(claim, {
        state: 'retry',
        assignments: `attempts = attempts + 1, ends = 0, error = ${textLiteral(error)},
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          retry_at = ${settings.now()} + ${integerLiteral(settings.delayUntil(at))}`,
        leaves: false,
      }),
    bury: (claim, { error, rejection, afterDeadLetter, alertLeaseMs }) =>
      change(claim, {
        state: 'dead',
        assignments: `attempts = attempts + 1, error = ${textLiteral(error)}, retry_at = NULL,
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          finished_at = ${settings.now()}, ${alertAssignments(settings, alertLeaseMs)}`,
        leaves: afterDeadLetter === 'skip',
      }),
    claimAlert: (leaseMs) =>
      operate(() => transact('volatile', (query) => claimAlert(query, settings, leaseMs))),
    settleAlert: (alert, outcome) =>
      operate(() => transact('durable', (query) => settleAlert(query, settings, alert, outcome))),
    release: (claims) =>
      operate(() =>
        transact('volatile', async (_, message) => {
          for (const claim of claims) heldUntil.delete(claim);
          for (const claim of inOrderOfLocks(claims))
            await changeClaimed(message, settings, claim, { state: 'released', leaves: false });
        }),
      ),
    stats: () => read((query) => readStats(query, settings)),
    list: (filter = {}, page = {}) => read((query) => listEvents(query, settings, filter, page)),
    preview: (action, filter) => read((query) => previewChange(query, settings, action, filter)),
    get: (id) => read((query) => getEvent(query, settings, id)),
    reveal: (id, by) =>
      operate(() =>
        transact('durable', async (query) => {
          const event = await getEventWithPayload(query, settings, id);
          if (event !== undefined) await record(query, settings, 'reveal', by, [id]);
          return event;
        }),
      ),
    retry: (filter, by) => operate(() => changeEvents(transact, settings, 'retry', filter, by)),
    replay: (filter, by) => operate(() => changeEvents(transact, settings, 'replay', filter, by)),
    discard: (filter, by) => operate(() => changeEvents(transact, settings, 'discard', filter, by)),
    delete: (request, by) =>
      operate(() =>
        deleteInParts(request, (part) =>
          transact('durable', (query) => deletePayloads(query, settings, part, by)),
        ),
      ),
    audit: (pageSize = 100) => read((query) => readAudit(query, settings, pageSize)),
    pruneAudit: (request) =>
      operate(() => transact('durable', (query) => pruneAudit(query, settings, request))),
    migrate: () =>
      run(async () => {
        try {
          await migrate(pool, settings, await readMigrations());
        } catch (error) {
          throw toStoreError(error);
        }
      }),
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
      await receipts.drain();
    },
  };
}
