import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { openPool } from '../replay/postgres-server.ts';
import { serveApplication } from '../serve-application.ts';

const [url = '', schema = ''] = process.argv.slice(2);
const pool = openPool(url, { max: 6 });

await serveApplication(postgresStore(pool, { schema }), async (value, { transaction }) => {
  await transaction.query(`INSERT INTO ${schema}.effects (value) VALUES ($1)`, [value]);
});
await pool.end();
