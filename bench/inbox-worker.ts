import { once } from 'node:events';
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { Logger, makeWorkerUtils, run, type Task } from 'graphile-worker';
import pg from 'pg';

/**
 * Handles the events of a queue in Postgres with a library. Each handler writes one row of effect:
 *
 *     node inbox-worker.ts <library> <URL of the database>
 *
 * Sends `ready`. Stores the events of a message `{ events, keys }`; without keys (0), they have no order. After a message
 * `start`, handles 64 events at a time until it is ended. Answers each message, the last one with its CPU time.
 */
export type Library = 'inbox' | 'graphile-worker' | 'graphile-worker, transaction';

/** The events to store. */
export interface Order {
  readonly events: number;
  readonly keys: number;
}

/** What both libraries do. */
interface Queue {
  fill(order: Order): Promise<void>;
  work(): Promise<void>;
}

const concurrency = 64;
const [library = '', url = ''] = process.argv.slice(2);
const body = 'x'.repeat(700);
const pool = new pg.Pool({ connectionString: url, max: 20 });
// Otherwise, the loss of a connection would end the process.
pool.on('error', () => undefined);
pool.on('connect', (client) => client.on('error', () => undefined));
const insert = 'INSERT INTO effects VALUES ($1)';

function keyOf(event: number, keys: number): string | undefined {
  return keys === 0 ? undefined : `key ${event % keys}`;
}

function openInbox(): Queue {
  const store = postgresStore(pool, { timeoutMs: 60_000 });
  return {
    async fill({ events, keys }) {
      await store.migrate();
      const inbox = createInbox({ store });
      const bytes = Buffer.from(body);
      let received = 0;
      const receive = async (): Promise<void> => {
        while (received < events) {
          received += 1;
          const orderKey = keyOf(received, keys);
          const event = orderKey === undefined ? {} : { orderKey };
          await inbox.receive({
            method: 'POST',
            target: '/',
            headers: [],
            body: bytes,
            events: [event],
          });
        }
      };
      await Promise.all(Array.from({ length: 64 }, receive));
    },
    async work() {
      createWorker({
        store,
        concurrency,
        handle: async ({ id }, { transaction }) => {
          await transaction.query(insert, [id]);
        },
      });
    },
  };
}

/** Its completion has a connection of its own, so that no transaction contains both the effect and the completion. */
function openGraphileWorker(inTransaction: boolean): Queue {
  const logger = new Logger(() => () => undefined);
  const handle: Task = async (_, { job, withPgClient }) => {
    await withPgClient(async (client) => {
      if (inTransaction) await client.query('BEGIN');
      await client.query(insert, [job.id]);
      if (inTransaction) await client.query('COMMIT');
    });
  };
  return {
    async fill({ events, keys }) {
      const utilities = await makeWorkerUtils({ pgPool: pool, logger });
      await utilities.migrate();
      for (let first = 0; first < events; first += 1000) {
        const jobs = Array.from({ length: Math.min(1000, events - first) }, (_, index) => {
          const queueName = keyOf(first + index, keys);
          const job = { identifier: 'handle', payload: { body } };
          return queueName === undefined ? job : { ...job, queueName };
        });
        await utilities.addJobs(jobs);
      }
      await utilities.release();
    },
    async work() {
      await run({
        pgPool: pool,
        logger,
        concurrency,
        noHandleSignals: true,
        taskList: { handle },
      });
    },
  };
}

const queue =
  library === 'inbox'
    ? openInbox()
    : openGraphileWorker(library === 'graphile-worker, transaction');

await pool.query('SELECT');
process.send?.('ready');
let before = process.cpuUsage();
for (;;) {
  const [message] = (await once(process, 'message')) as [Order | 'start' | 'usage'];
  if (message === 'start') {
    before = process.cpuUsage();
    await queue.work();
    process.send?.('started');
  } else if (message === 'usage') {
    const { user, system } = process.cpuUsage(before);
    process.send?.(user + system);
  } else {
    await queue.fill(message);
    process.send?.('filled');
  }
}
