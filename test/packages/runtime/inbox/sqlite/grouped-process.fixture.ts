import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { commit, sqliteStore } from '@countersign/runtime/inbox/sqlite';

// Stores numbers, then handles all of them with many handlers at the same time, so that effects share transactions.
// Writes the numbers that were acknowledged, and each time how many effects the largest transaction has had so far.
const [path = '', numbers = '[]'] = process.argv.slice(2);
const store = sqliteStore(path);
const inbox = createInbox({ store });
let [together, largest] = [0, 0];
subscribe('countersign:inbox:handle:in-transaction', () => {
  if (together === 0) setImmediate(() => (together = 0));
  together += 1;
  if (together <= largest) return;
  largest = together;
  writeSync(1, `together ${together}\n`);
});
const sent: readonly number[] = JSON.parse(numbers);
await Promise.all(
  sent.map(async (number) => {
    const body = Buffer.from(String(number));
    const events = [{ identity: String(number), kind: number % 20 === 0 ? 'guilty' : 'innocent' }];
    await inbox.receive({ method: 'POST', target: '/', headers: [], body, events });
  }),
);
writeSync(1, `acknowledged ${sent.join(' ')}\n`);
const worker = createWorker({
  store,
  concurrency: 32,
  leaseMs: 300,
  pollIntervalMs: 20,
  retry: { firstDelayMs: 10 },
  handle: async (event, { attempt }) =>
    commit((database) => {
      const value = Buffer.from(event.body).toString();
      database.prepare('INSERT INTO effects (value) VALUES (?)').run(value);
      // Fails at the commit of all effects of the transaction.
      if (event.kind === 'guilty' && attempt === 1)
        database.exec('INSERT INTO children VALUES (1)');
    }),
  onEvent: () => undefined,
  onError: (error) => {
    throw error;
  },
});
while ((await store.stats()).depth > 0) await delay(10);
await worker.close();
await store.close();
