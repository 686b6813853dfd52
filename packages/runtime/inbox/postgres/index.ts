// A store in Postgres, for several machines.

import { InboxError } from '../errors.ts';
import { BlockedCount, checkLease, deleteInParts } from '../rows.ts';
import {
  type Claim,
  type InboxOperations,
  type InboxStore,
  passFailpoint,
  PayloadCache,
  writeRejection,
} from '../store.ts';
import {
  alertAssignments,
  changeClaimed,
  claimAlert,
  type ClaimChange,
  claimStatement,
  extendClaims,
  hasInterrupted,
  HeldLeases,
  inOrderOfLocks,
  readClaim,
  settleAlert,
} from './claims.ts';
import {
  type ClientOf,
  integerLiteral,
  migrate,
  OperationRunner,
  optionalLiteral,
  type PostgresClient,
  type PostgresPool,
  type PostgresSettings,
  type PostgresStoreOptions,
  readSettings,
  type Slots,
  slotsOf,
  textLiteral,
  toStoreError,
  type Work,
} from './connection.ts';
import { handleInTransaction } from './handle.ts';
import { migrations } from './migrations.ts';
import {
  changeEvents,
  CountSums,
  deletePayloads,
  getEvent,
  getEventWithPayload,
  listEvents,
  previewChange,
  pruneAudit,
  readAudit,
  readStats,
  record,
} from './operate.ts';
import {
  createReceiptQueue,
  prepareReceipt,
  writeAndDeleteReceipt,
  writeReceipts,
} from './receive.ts';

export type { PostgresStoreOptions, ClientOf, PostgresClient, PostgresPool } from './connection.ts';
export { migrations } from './migrations.ts';

/** What the methods of one store share. */
interface StoreContext {
  readonly pool: PostgresPool;
  readonly settings: PostgresSettings;
  readonly runner: OperationRunner;
  readonly leases: HeldLeases;
  readonly sums: CountSums;
}

/** The methods of a store that receivers use. */
interface ReceivingMethods extends Pick<
  InboxStore<unknown, unknown>,
  'receive' | 'tryToStore' | 'onStored'
> {
  /** Resolves when the transactions of all receipts so far have ended. */
  readonly drain: () => Promise<void>;
}

/** Creates the methods of a store that receivers use. */
function createReceivingMethods({ settings, runner, sums }: StoreContext): ReceivingMethods {
  const blockedCount = new BlockedCount();
  const listeners = new Set<() => void>();
  const receipts = createReceiptQueue(async (batch) => {
    await runner.checkServer();
    const results = await runner.transact('durable', async (query) => {
      const receiptResults = await writeReceipts(query, settings, batch, blockedCount);
      passFailpoint('receive:before-commit');
      return receiptResults;
    });
    passFailpoint('receive:before-acknowledgement');
    return results;
  }, settings.timeoutMs);

  return {
    async receive(receipt, { maxBacklogEvents } = {}) {
      const events = await runner.run(() =>
        receipts.add(prepareReceipt(receipt, maxBacklogEvents)),
      );
      sums.countTransaction();
      if (events.some(({ status }) => status === 'stored'))
        for (const listener of listeners) listener();
      return events;
    },
    tryToStore: () =>
      runner.inTransaction('durable', (query) => writeAndDeleteReceipt(query, settings)),
    onStored(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain: () => receipts.drain(),
  };
}

/** The methods of a store that make, renew and return claims, or record failed attempts. */
type ClaimingMethods = Pick<
  InboxStore<unknown, unknown>,
  'claim' | 'hasInterrupted' | 'extend' | 'fail' | 'bury' | 'release'
>;

/** Creates these methods. */
function createClaimingMethods(context: StoreContext): ClaimingMethods {
  const { settings, runner, leases, sums } = context;
  const payloads = new PayloadCache();
  return {
    async claim(request) {
      checkLease(request.leaseMs);
      sums.countTransaction();
      const start = performance.now();
      const claims = await payloads.claim(request.maxEvents, async (cachedReceipts) => {
        const statement = claimStatement(settings, request, cachedReceipts);
        const rows = await runner.runStatement('volatile', statement);
        return rows.map(readClaim);
      });
      leases.keep(claims, start, request.leaseMs);
      return claims;
    },
    hasInterrupted: (alone) =>
      runner.inTransaction('read', (query) => hasInterrupted(query, settings, alone)),
    async extend(claims, leaseMs) {
      checkLease(leaseMs);
      const start = performance.now();
      const lost = await runner.inTransaction('volatile', (query) =>
        extendClaims(query, settings, claims, leaseMs),
      );
      leases.forget(claims);
      leases.keep(
        claims.filter(({ event }) => !lost.includes(event.id)),
        start,
        leaseMs,
      );
      return lost;
    },
    fail: (claim, { error, rejection, at }) =>
      recordAttempt(context, claim, {
        state: 'retry',
        assignments: `attempts = attempts + 1, ends = 0, error = ${textLiteral(error)},
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          retry_at = ${settings.now()} + ${integerLiteral(settings.delayUntil(at))}`,
        leaves: false,
      }),
    bury: (claim, { error, rejection, afterDeadLetter, alertLeaseMs }) =>
      recordAttempt(context, claim, {
        state: 'dead',
        assignments: `attempts = attempts + 1, error = ${textLiteral(error)}, retry_at = NULL,
          rejection = ${optionalLiteral(writeRejection(rejection))}, failed_at = ${settings.now()},
          finished_at = ${settings.now()}, ${alertAssignments(settings, alertLeaseMs)}`,
        leaves: afterDeadLetter === 'skip',
      }),
    release: (claims) =>
      runner.inTransaction('volatile', async (_, message) => {
        leases.forget(claims);
        for (const claim of inOrderOfLocks(claims))
          await changeClaimed(message, settings, claim, { state: 'released', leaves: false });
      }),
  };
}

async function recordAttempt(
  { settings, runner, leases }: StoreContext,
  claim: Claim,
  change: ClaimChange,
): Promise<'recorded' | 'lost'> {
  leases.forget([claim]);
  const changed = await runner.inTransaction('durable', (_, message) =>
    changeClaimed(message, settings, claim, change),
  );
  return changed ? 'recorded' : 'lost';
}

/** Creates the methods of a store that operators use. */
function createOperatingMethods({ settings, runner }: StoreContext): InboxOperations {
  const { transact } = runner;
  const read = <Result>(work: Work<Result>): Promise<Result> => runner.inTransaction('read', work);
  return {
    stats: () => read((query) => readStats(query, settings)),
    list: (filter = {}, page = {}) => read((query) => listEvents(query, settings, filter, page)),
    preview: (action, filter) => read((query) => previewChange(query, settings, action, filter)),
    get: (id) => read((query) => getEvent(query, settings, id)),
    reveal: (id, by) =>
      runner.inTransaction('durable', async (query) => {
        const event = await getEventWithPayload(query, settings, id);
        if (event !== undefined) await record(query, settings, 'reveal', by, [id]);
        return event;
      }),
    retry: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'retry', filter, by)),
    replay: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'replay', filter, by)),
    discard: (filter, by) =>
      runner.operate(() => changeEvents(transact, settings, 'discard', filter, by)),
    delete: (request, by) =>
      runner.operate(() =>
        deleteInParts(request, (part) =>
          transact('durable', (query) => deletePayloads(query, settings, part, by)),
        ),
      ),
    audit: (pageSize = 100) => read((query) => readAudit(query, settings, pageSize)),
    pruneAudit: (request) =>
      runner.inTransaction('durable', (query) => pruneAudit(query, settings, request)),
  };
}

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
  const runner = new OperationRunner(pool, settings);
  const leases = new HeldLeases(settings);
  const sums = new CountSums(runner, settings);
  const context: StoreContext = { pool, settings, runner, leases, sums };
  const { drain, ...receiving } = createReceivingMethods(context);
  const slots = slotsOf(pool);
  // Each method can be used without the store, which applications copy with `...store` to replace some.
  return {
    ...receiving,
    ...createClaimingMethods(context),
    ...createOperatingMethods(context),
    complete: (claim, handle) => complete<Client>(context, slots, claim, handle),
    claimAlert: (leaseMs) =>
      runner.inTransaction('volatile', (query) => claimAlert(query, settings, leaseMs)),
    settleAlert: (alert, outcome) =>
      runner.inTransaction('durable', (query) => settleAlert(query, settings, alert, outcome)),
    migrate: () => runner.run(() => bringUpToDate(context)),
    async close() {
      await runner.close();
      await drain();
    },
  };
}

function complete<Client extends PostgresClient>(
  { pool, settings, runner, leases }: StoreContext,
  slots: Slots,
  claim: Claim,
  handle: Parameters<PostgresStore<Client>['complete']>[1],
): Promise<'completed' | 'replaced' | 'lost'> {
  return runner.run(async () => {
    await runner.checkServer().catch((error: unknown) => {
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
        () => leases.isHeld(claim),
        (transaction) => handle({ transaction }),
      );
    } finally {
      give();
    }
  });
}

/** @throws InboxError */
async function bringUpToDate({ pool, settings }: StoreContext): Promise<void> {
  try {
    await migrate(pool, settings, migrations);
  } catch (error) {
    throw toStoreError(error);
  }
}
