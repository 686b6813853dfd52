import { rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openPool,
  startPostgres,
  type PostgresServer,
} from '../../runtime/inbox/replay/postgres-server.ts';
import { readTree } from '../../../output/tree.ts';
import { expectEffectsOnce, expectToWork } from './inbox-application.ts';
import { createApplicationFolder, scaffoldOwn } from './own-contract.ts';

const server = await startPostgres();

describe.skipIf(server === undefined)('an application with an inbox in Postgres', () => {
  const { url, ...rest } = server ?? ({ url: 'postgres://x' } as PostgresServer);
  const pool: pg.Pool = openPool(url);
  // Roles are of the whole server, which can be one that other tests use.
  const role = `application_${process.pid}`;
  const roleUrl = new URL(url);
  roleUrl.username = role;
  roleUrl.password = 'a password';
  const environment = {
    DATABASE_URL: roleUrl.href,
    MIGRATION_DATABASE_URL: url,
    APPLICATION_ROLE: role,
  };
  let folder = '';
  let application = '';

  beforeAll(async () => {
    folder = await createApplicationFolder();
    application = await scaffoldOwn(folder, ['express', 'receiver', '--inbox', 'postgres']);
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'a password'`);
  });

  afterAll(async () => {
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await pool.end();
    await rest[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('type-checks, acknowledges every example, and its worker handles each event once', async () => {
    await expectToWork(application, { ...process.env, ...environment });
    const find = "SELECT FROM pg_namespace WHERE nspname LIKE 'inbox_test_%'";
    expect((await pool.query(find)).rowCount).toBe(0);
  });

  it('applies an effect once although workers are killed, with a role that cannot change tables', async () => {
    const schema = `inbox_${process.pid}`;
    await migrate(application, { ...environment, INBOX_SCHEMA: schema });
    await migrate(application, { ...environment, INBOX_SCHEMA: schema });
    await pool.query(`CREATE TABLE ${schema}.booked (event text)`);
    await pool.query(`GRANT SELECT, INSERT ON ${schema}.booked TO ${role}`);
    await expectEffectsOnce(
      application,
      { DATABASE_URL: roleUrl.href, INBOX_SCHEMA: schema, BOOKED: `${schema}.booked` },
      slowCharge,
      async () => {
        const { rows } = await pool.query<{ rows: number; events: number }>(
          `SELECT count(event)::int AS rows, count(DISTINCT event)::int AS events FROM ${schema}.booked`,
        );
        return rows[0] ?? { rows: 0, events: 0 };
      },
    );
    const client = openPool(roleUrl.href);
    await expect(client.query(`DROP TABLE ${schema}.inbox_events`)).rejects.toMatchObject({
      code: '42501',
    });
    await client.end();
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  });

  it('gets a server and a role from its compose.yaml', async () => {
    const tree = await readTree(application);
    const { services } = parse(tree['compose.yaml'] ?? '') as {
      readonly services: { readonly postgres: Readonly<Record<string, unknown>> };
    };
    expect(services.postgres).toMatchObject({ ports: ['127.0.0.1:5432:5432'] });
    const addresses = (tree['.env.example'] ?? '').matchAll(/^\w*DATABASE_URL=(.*)$/gmu);
    expect(Array.from(addresses, ([, address]) => address)).toEqual([
      'postgres://application:development@127.0.0.1:5432/receiver',
      'postgres://postgres:development@127.0.0.1:5432/receiver',
    ]);
    expect(services.postgres['environment']).toEqual({
      POSTGRES_DB: 'receiver',
      POSTGRES_PASSWORD: 'development',
    });
    const sql = (tree['postgres/roles.sql'] ?? '').replace('ROLE application', `ROLE ${role}_x`);
    await pool.query(sql);
    const made = new URL(url);
    made.username = `${role}_x`;
    made.password = 'development';
    const client = openPool(made.href);
    expect((await client.query('SELECT 1')).rowCount).toBe(1);
    await client.end();
    await pool.query(`DROP ROLE ${role}_x`);
  });
});

async function migrate(
  application: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const parameters = ['--conditions=countersign-source', 'src/migrate.ts'];
  await promisify(execFile)(process.execPath, parameters, { cwd: application, env: environment });
}

/** A handler whose effect is in the transaction of its event. */
const slowCharge = `import type { PostgresScope } from '@countersign/runtime/inbox/postgres';
import type { ChargeEvent } from '@instant-payment/webhooks';
import type { EventContext } from '@instant-payment/webhooks/worker';
import { setTimeout } from 'node:timers/promises';
import type { PoolClient } from 'pg';

export async function onCharge(
  _event: ChargeEvent,
  { id, transaction }: EventContext & PostgresScope<PoolClient>,
): Promise<void> {
  await transaction.query(\`INSERT INTO \${process.env['BOOKED']} VALUES ($1)\`, [id]);
  console.log('begins', id);
  await setTimeout(100);
}
`;
