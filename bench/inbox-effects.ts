import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createInbox,
  createWorker,
  type InboxHandler,
  type InboxStore,
} from '@countersign/runtime/inbox';
import { commit, sqliteStore } from '@countersign/runtime/inbox/sqlite';

/**
 * Handles events of 700 bytes, or receives them at a rate beside a worker, and prints a result as JSON:
 *
 *     node inbox-effects.ts handle <file> <events> <keys>
 *     node inbox-effects.ts receive <file> <events> <handlers>
 *
 * Each handler writes one row in the transaction that completes its event. Without keys (0), events have no order.
 * Without handlers (0), there is no worker.
 */
export interface HandledEvents {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly loopDelayMilliseconds: number;
}

/** What receipts cost that arrive at a rate. */
export interface OfferedReceipts {
  /** 99 of 100 receipts were stored sooner. */
  readonly p99Milliseconds: number;
  /** The events that were not handled after the last receipt. */
  readonly backlog: number;
  readonly loopDelayMilliseconds: number;
}

const offeredPerSecond = 2000;
const concurrency = 64;

const [task = '', place = '', events = '0', parameter = '0'] = process.argv.slice(2);
const count = Number(events);
const body = Buffer.alloc(700, 'x');
const delay = monitorEventLoopDelay({ resolution: 1 });

/** 99 of 100 delays were shorter. The timer itself waits for its resolution. */
function loopDelay(): number {
  return Math.max(0, delay.percentile(99) / 1e6 - 1);
}

async function openSqlite(): Promise<void> {
  const store = sqliteStore(place);
  // The first call returns after the file exists.
  await store.stats();
  const database = new DatabaseSync(place);
  database.exec('CREATE TABLE effects (value TEXT NOT NULL) STRICT');
  database.close();
  await run(store, async ({ id }) =>
    commit((connection) => connection.prepare('INSERT INTO effects VALUES (?)').run(id)),
  );
}

async function run<Scope, Result>(
  store: InboxStore<Scope, Result>,
  handle: InboxHandler<Scope, Result>,
): Promise<void> {
  const result =
    task === 'handle' ? await handleAll(store, handle) : await receiveAtRate(store, handle);
  await store.close();
  console.log(JSON.stringify(result));
}

async function handleAll<Scope, Result>(
  store: InboxStore<Scope, Result>,
  handle: InboxHandler<Scope, Result>,
): Promise<HandledEvents> {
  const keys = Number(parameter);
  const inbox = createInbox({ store });
  let received = 0;
  const receive = async (): Promise<void> => {
    while (received < count) {
      received += 1;
      const event = keys === 0 ? {} : { orderKey: `key ${received % keys}` };
      await inbox.receive({ method: 'POST', target: '/', headers: [], body, events: [event] });
    }
  };
  await Promise.all(Array.from({ length: 64 }, receive));
  delay.enable();
  const before = process.cpuUsage();
  const start = performance.now();
  const worker = createWorker({ store, concurrency, handle });
  while ((await store.stats()).depth > 0) await sleep(5);
  const milliseconds = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  await worker.close();
  return {
    perSecond: count / (milliseconds / 1000),
    cpuMicroseconds: (user + system) / count,
    loopDelayMilliseconds: loopDelay(),
  };
}

async function receiveAtRate<Scope, Result>(
  store: InboxStore<Scope, Result>,
  handle: InboxHandler<Scope, Result>,
): Promise<OfferedReceipts> {
  const inbox = createInbox({ store });
  const handlers = Number(parameter);
  const worker =
    handlers === 0 ? undefined : createWorker({ store, concurrency: handlers, handle });
  const latencies: number[] = [];
  const pending: Promise<void>[] = [];
  const receive = async (due: number): Promise<void> => {
    await inbox.receive({ method: 'POST', target: '/', headers: [], body, events: [{}] });
    // From the time at which it was to be sent: a blocked event loop sends it late.
    latencies.push(performance.now() - due);
  };
  delay.enable();
  const start = performance.now();
  while (pending.length < count) {
    const due = Math.min(count, ((performance.now() - start) / 1000) * offeredPerSecond);
    while (pending.length < due)
      pending.push(receive(start + (pending.length / offeredPerSecond) * 1000));
    await sleep(1);
  }
  await Promise.all(pending);
  const { depth } = await store.stats();
  const loopDelayMilliseconds = loopDelay();
  await worker?.close();
  return {
    p99Milliseconds: latencies.toSorted((a, b) => a - b)[Math.floor(count * 0.99)] ?? 0,
    backlog: depth,
    loopDelayMilliseconds,
  };
}

await openSqlite();
