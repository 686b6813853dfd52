import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../replay/postgres-database.ts';
import { openPool } from '../replay/postgres-server.ts';

const database = await openDatabase();
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

const repository = join(import.meta.dirname, '../../../../..');

/** Receives one delivery with the example, and prints what is stored once it is handled. */
const deliver = `
import { inbox, store, worker } from './example.ts';
const delivery = {
  method: 'POST', target: '/', headers: [],
  body: new TextEncoder().encode('{"ship":"gull"}'), events: [{ identity: 'gull' }],
};
console.log((await inbox.receive(delivery)).status, (await inbox.receive(delivery)).status);
while ((await store.stats()).depth > 0) await new Promise((resolve) => setTimeout(resolve, 10));
await worker.close();
await store.close();
process.exit();
`;

/** Calls a recipe in the transaction of a handler. */
const deliverToRecipe = `
import { createInbox, createWorker } from '@countersign/runtime/inbox';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import pg from 'pg';
import { recordDocked } from './example.ts';
const store = postgresStore(new pg.Pool({ connectionString: process.env['DATABASE_URL'] }));
await store.migrate();
export const inbox = createInbox({ store });
export const worker = createWorker({
  store,
  handle: async ({ body }, { transaction }) => {
    await recordDocked(transaction, JSON.parse(new TextDecoder().decode(body)).ship);
  },
});
export { store };
`;

test.skipIf(database === undefined).each(['postgres store', 'drizzle', 'kysely'])(
  'the example "%s" of the README handles a delivery once',
  async (name) => {
    const { url = '' } = database ?? {};
    const pool = openPool(url);
    const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
    try {
      const readme = await readFile(join(repository, 'packages/runtime/inbox/README.md'), 'utf8');
      const [, after = ''] = readme.split(`\`\`\`ts\n// ${name}\n`);
      const example = after.split('```', 1).join('');
      const isRecipe = !example.includes('postgresStore');
      const files = {
        'package.json': '{"type":"module"}',
        'example.ts': example,
        'store.ts': deliverToRecipe,
        'main.ts': isRecipe ? deliver.replace('./example.ts', './store.ts') : deliver,
      };
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
      await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
      await pool.query('CREATE TABLE docked (ship text)');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=countersign-source', 'main.ts'],
        { cwd: folder, env: { ...process.env, DATABASE_URL: url } },
      );
      expect(stdout).toBe('stored duplicate\n');
      expect((await pool.query('SELECT ship FROM docked')).rows).toEqual([{ ship: 'gull' }]);
    } finally {
      await pool.query(
        `DROP TABLE IF EXISTS docked, inbox_events, inbox_receipts, inbox_identities, inbox_audit,
           inbox_counts, inbox_schema`,
      );
      await pool.query('DROP FUNCTION IF EXISTS inbox_count');
      await pool.end();
      await rm(folder, { recursive: true });
    }
  },
);
