import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { openPool } from '../replay/postgres-server.ts';
import { runUntilHandled } from '../run-until-handled.ts';

const [url = '', schema = '', deliveries = '[]'] = process.argv.slice(2);
const pool = openPool(url, { max: 6 });

await runUntilHandled(
  postgresStore(pool, { schema }),
  async (event, { transaction }) => {
    await transaction.query(`INSERT INTO ${schema}.effects (value) VALUES ($1)`, [
      Buffer.from(event.body).toString(),
    ]);
  },
  JSON.parse(deliveries),
);
await pool.end();
