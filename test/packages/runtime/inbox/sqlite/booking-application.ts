import { DatabaseSync } from 'node:sqlite';
import { createInbox, type Inbox, type InboxWorker } from '@countersign/runtime/inbox';
import {
  commit,
  sqliteStore,
  type SqliteResult,
  type SqliteScope,
  type SqliteStore,
} from '@countersign/runtime/inbox/sqlite';
import { createWebhooks, unauthenticated } from '@instant-payment/webhooks';
import { deliver } from '@instant-payment/webhooks/testing';
import { createWorker } from '@instant-payment/webhooks/worker';

/** The generated receiver and the generated worker around one SQLite file. Its subjects are numbers. */
export interface BookingApplication extends AsyncDisposable {
  readonly store: SqliteStore;
  readonly inbox: Inbox<SqliteScope, SqliteResult>;
  /** Sends a settled cash-out. Returns the status of the response. */
  send(subject: number): Promise<number>;
  /** Starts a worker that books each subject. `before` runs in each handler. */
  work(before?: (subject: number, attempt: number) => unknown): InboxWorker;
  /** The subjects that were booked, in order. */
  booked(): readonly number[];
  /** The errors of the receiver and the worker. */
  readonly errors: readonly unknown[];
}

/** Opens the application. */
export async function openApplication(
  path: string,
  clock: () => number = Date.now,
): Promise<BookingApplication> {
  const store = sqliteStore(path, { clock });
  const inbox = createInbox({ store, clock });
  const errors: unknown[] = [];
  const { fetch } = createWebhooks({
    authenticate: unauthenticated(),
    inbox,
    deliveryIdentity: 'same-content',
    clock,
    onEvent: ({ error }) => {
      if (error !== undefined) errors.push(error);
    },
  });
  // The first call returns after the file exists.
  await store.stats();
  const database = new DatabaseSync(path);
  database.exec(
    'CREATE TABLE IF NOT EXISTS booked (number INTEGER PRIMARY KEY, subject INTEGER NOT NULL)',
  );
  return {
    store,
    inbox,
    errors,
    async send(subject) {
      const body = { Pix: { txid: String(subject) }, note: 'n'.repeat(1000) };
      return (await fetch(await deliver('cashoutStageTwo', { body }))).status;
    },
    work: (before) =>
      createWorker({
        inbox,
        clock,
        concurrency: 4,
        leaseMs: 500,
        // The processes are ended at the same place again and again, whatever the event is.
        maxInterruptions: Infinity,
        pollIntervalMs: 20,
        retry: { firstDelayMs: 200, jitter: 0 },
        on: {
          cashoutStageTwo: async ({ data }, { attempt }) => {
            const subject = Number(data.Pix.txid);
            await before?.(subject, attempt);
            return commit((connection) =>
              connection.prepare('INSERT INTO booked (subject) VALUES (?)').run(subject),
            );
          },
        },
        otherwise: { rest: () => undefined },
        onInvalid: () => undefined,
        onError: (error) => errors.push(error),
      }),
    booked: () =>
      database
        .prepare('SELECT subject FROM booked ORDER BY number')
        .all()
        .map(({ subject }) => Number(subject)),
    async [Symbol.asyncDispose]() {
      database.close();
      await store.close();
    },
  };
}
