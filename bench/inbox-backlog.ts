import { setTimeout as sleep } from 'node:timers/promises';
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';

/**
 * Prints what a backlog of so many events costs, as JSON: `node inbox-backlog.ts <file> <backlog> <sample>`. A tenth of
 * the events has an order key that other events have, too.
 */
export interface BacklogCost {
  readonly emptyReceivedPerSecond: number;
  readonly emptyHandledPerSecond: number;
  readonly fullReceivedPerSecond: number;
  readonly fullHandledPerSecond: number;
  readonly peakMegabytes: number;
}

const [path = '', backlog = '0', sample = '0'] = process.argv.slice(2);
const store = sqliteStore(path);
const inbox = createInbox({ store });
const body = Buffer.alloc(700, 'x');
let received = 0;

async function receive(count: number): Promise<number> {
  const start = performance.now();
  const until = received + count;
  const work = async (): Promise<void> => {
    while (received < until) {
      received += 1;
      const orderKey = received % 10 === 0 ? `key ${received % 10_000}` : `own ${received}`;
      await inbox.receive({
        method: 'POST',
        target: '/hooks',
        headers: [],
        body,
        events: [{ orderKey }],
      });
    }
  };
  await Promise.all(Array.from({ length: 64 }, work));
  return count / ((performance.now() - start) / 1000);
}

async function handle(count: number): Promise<number> {
  let handled = 0;
  const done = Promise.withResolvers<void>();
  const start = performance.now();
  const worker = createWorker({
    store,
    concurrency: 32,
    handle: async () => {
      handled += 1;
      if (handled === count) done.resolve();
    },
  });
  await done.promise;
  const rate = count / ((performance.now() - start) / 1000);
  await worker.close();
  return rate;
}

const size = Number(sample);
const emptyReceivedPerSecond = await receive(size);
const emptyHandledPerSecond = await handle(size);
while ((await store.stats()).depth > 0) await sleep(10);
await receive(Number(backlog));
const cost: BacklogCost = {
  emptyReceivedPerSecond,
  emptyHandledPerSecond,
  fullReceivedPerSecond: await receive(size),
  fullHandledPerSecond: await handle(size),
  peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
};
console.log(JSON.stringify(cost));
await store.close();
