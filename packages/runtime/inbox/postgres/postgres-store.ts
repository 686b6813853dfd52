import { InboxError } from '../inbox-error.ts';
import type { Claim, InboxStore } from '../store.ts';
import { claimAlert, settleAlert } from './alerts.ts';
import { createClaimingMethods } from './claiming.ts';
import { CountSums } from './count-sums.ts';
import { handleInTransaction } from './handle.ts';
import { HeldLeases } from './held-leases.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { createOperatingMethods } from './operating.ts';
import { OperationRunner } from './operation-runner.ts';
import { readSettings, type PostgresStoreOptions } from './options.ts';
import type { ClientOf, PostgresClient, PostgresPool } from './pool.ts';
import { createReceivingMethods } from './receiving.ts';
import { slotsOf, type Slots } from './slots.ts';
import type { StoreContext } from './store-context.ts';
import { toStoreError } from './to-store-error.ts';

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
