import { once } from 'node:events';
import { createWorker } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { openPool } from '../replay/postgres-server.ts';

// Handles events until the parent disconnects.
const [url = '', schema = ''] = process.argv.slice(2);
const pool = openPool(url, { max: 12 });
const store = postgresStore(pool, { schema, timeoutMs: 30_000 });
const worker = createWorker({
  store,
  concurrency: 10,
  handle: async (event, { transaction }) => {
    await transaction.query(`INSERT INTO ${schema}.effects (value) VALUES ($1)`, [
      Buffer.from(event.body).toString(),
    ]);
  },
  onError: (error) => {
    throw error;
  },
});
await once(process, 'disconnect');
await worker.close();
await store.close();
await pool.end();
