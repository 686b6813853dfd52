import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, createWorker } from '@countersign/inbox';
import { commit, sqliteStore } from '@countersign/inbox/sqlite';

// Receives the deliveries of its second argument, a few at a time, and handles events meanwhile. Writes the number of
// every acknowledged delivery. Exits once nothing is left to handle.
const [path = '', numbers = '[]'] = process.argv.slice(2);
const store = sqliteStore(path);
const inbox = createInbox({ store });
const deliveries: number[] = JSON.parse(numbers);

const worker = createWorker({
  store,
  concurrency: 4,
  leaseMs: 300,
  pollIntervalMs: 20,
  handle: async (event) => {
    const value = Buffer.from(event.body).toString();
    return commit((database) => {
      database.prepare('INSERT INTO effects (value) VALUES (?)').run(value);
    });
  },
  onError: (error) => {
    throw error;
  },
});

for (let next = 0; next < deliveries.length; next += 3)
  await Promise.all(
    deliveries.slice(next, next + 3).map(async (number) => {
      await inbox.receive({
        method: 'POST',
        target: '/hooks',
        headers: [],
        body: Buffer.from(String(number)),
        events: [{ identity: String(number), orderKey: `key${number % 5}` }],
      });
      writeSync(1, `${number}\n`);
    }),
  );

while ((await store.stats()).depth > 0) await delay(20);
await worker.stop();
await store.close();
