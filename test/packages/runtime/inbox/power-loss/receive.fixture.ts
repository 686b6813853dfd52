import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { commit, sqliteStore, type SqliteStore } from '@countersign/runtime/inbox/sqlite';
import { DatabaseSync } from 'node:sqlite';

// Receives deliveries, a few at a time, and handles them meanwhile. Appends the number of every acknowledged delivery
// and of every effect that was reported as committed to files beside the inbox.
const [folder = '', count = '0', synchronous = 'full'] = process.argv.slice(2);
const path = join(folder, 'inbox.db');
const store = sqliteStore(path, {
  synchronous: synchronous as 'full' | 'off',
  allowLossOnPowerFailure: synchronous !== 'full',
});
await store.stats();
const database = new DatabaseSync(path);
database.exec('CREATE TABLE effects (position INTEGER PRIMARY KEY, value TEXT NOT NULL)');
database.close();
const inbox = createInbox({ store });
const padding = 'x'.repeat(6000);

const reporting: SqliteStore = {
  ...store,
  complete: async (claim, handle) => {
    const completed = await store.complete(claim, handle);
    appendFileSync(join(folder, 'completed'), `${claim.event.identity}\n`);
    return completed;
  },
};

const worker = createWorker({
  store: reporting,
  concurrency: 4,
  handle: async ({ identity = '' }) =>
    commit((connection) => {
      connection.prepare('INSERT INTO effects (value) VALUES (?)').run(identity);
    }),
  onError: (error) => {
    throw error;
  },
});

for (let next = 1; next <= Number(count); next += 4)
  await Promise.all(
    [0, 1, 2, 3].map(async (offset) => {
      const number = String(next + offset);
      await inbox.receive({
        method: 'POST',
        target: '/hooks',
        headers: [],
        body: Buffer.from(`${number} ${padding}`),
        events: [{ identity: number, orderKey: `key${offset}` }],
      });
      appendFileSync(join(folder, 'acknowledged'), `${number}\n`);
    }),
  );

while ((await store.stats()).depth > 0) await delay(20);
await worker.close();
await store.close();
