import { createInbox } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { openPool } from '../replay/postgres-server.ts';

// Receives every second delivery, and every tenth one that the other receiver gets.
const [url = '', schema = '', first = '0', count = '0'] = process.argv.slice(2);
const pool = openPool(url, { max: 5 });
const store = postgresStore(pool, { schema, timeoutMs: 30_000 });
const inbox = createInbox({ store });
let next = 0;

async function receiveAll(): Promise<void> {
  while (next < Number(count)) {
    const number = next;
    next += 1;
    if (number % 2 !== Number(first) && number % 10 !== 0) continue;
    await inbox.receive({
      method: 'POST',
      target: '/hooks',
      headers: [['content-type', 'application/json']],
      body: Buffer.from(String(number)),
      events: [{ identity: String(number), orderKey: `key ${number % 500}` }],
    });
  }
}

await Promise.all(Array.from({ length: 20 }, receiveAll));
await store.close();
await pool.end();
