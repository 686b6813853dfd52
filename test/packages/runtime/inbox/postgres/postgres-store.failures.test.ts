import {
  postgresStore,
  type PostgresResult,
  type PostgresScope,
} from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import { afterAll, describe } from 'vitest';
import { commonFailures, describeFailures, type HandlerFailure } from '../failures-conformance.ts';
import { openDatabase } from '../replay/postgres-database.ts';
import { openPostgres, type PostgresHarness } from './postgres-harness.ts';

const database = await openDatabase();
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});

type Failure = HandlerFailure<PostgresScope<pg.PoolClient>, PostgresResult>;

const endConnection = 'SELECT pg_terminate_backend(pg_backend_pid())';

async function failures(harness: PostgresHarness): Promise<readonly Failure[]> {
  const { admin, schema } = harness;
  await admin.query(
    `CREATE TABLE ${schema}.children
       (parent integer REFERENCES ${schema}.children (id) DEFERRABLE INITIALLY DEFERRED, id integer UNIQUE);
     CREATE TABLE ${schema}.checked (id integer);
     CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'refused' USING ERRCODE = 'XY123';
     END $$;
     CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON ${schema}.checked
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.refuse();
     CREATE FUNCTION ${schema}.end_connection() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_terminate_backend(pg_backend_pid());
       PERFORM pg_sleep(10);
       RETURN NULL;
     END $$;
     CREATE TABLE ${schema}.fatal (id integer);
     CREATE CONSTRAINT TRIGGER fatal AFTER INSERT ON ${schema}.fatal
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${schema}.end_connection()`,
  );
  const other = postgresStore({ connect: () => Promise.reject(new Error('unreachable')) });
  const run =
    (statement: string): Failure['handle'] =>
    async ({ transaction }) => {
      await harness.effect('undone')({ transaction });
      await transaction.query(statement);
    };
  return [
    ...commonFailures<PostgresScope<pg.PoolClient>, PostgresResult>(() => other),
    {
      cause: 'a deferred constraint',
      error: 'error [23503]',
      handle: run(`INSERT INTO ${schema}.children (parent) VALUES (1)`),
    },
    {
      cause: 'a deferred trigger with a code of its own',
      error: 'error [XY123]',
      handle: run(`INSERT INTO ${schema}.checked VALUES (1)`),
    },
    {
      cause: 'a deferred trigger that ends the connection',
      error: 'InboxError [connection-lost]',
      handle: run(`INSERT INTO ${schema}.fatal VALUES (1)`),
    },
    {
      cause: 'a statement that ends its connection',
      error: 'InboxError [connection-lost]',
      handle: run(endConnection),
    },
    {
      cause: 'the same, whose error the handler ignores',
      error: 'InboxError [connection-lost]',
      handle: async (scope) => {
        await Promise.resolve(run(endConnection)(scope)).catch(() => undefined);
      },
    },
    {
      cause: 'a role without rights on the tables of the inbox',
      error: 'error [42501]',
      handle: run('SET LOCAL ROLE pg_monitor'),
    },
    {
      cause: 'a transaction that is made read-only',
      error: 'error [25006]',
      handle: run('SET TRANSACTION READ ONLY'),
    },
  ];
}

describe.skipIf(database === undefined)('a store in Postgres', () => {
  describeFailures('Postgres', () => openPostgres(database?.url ?? ''), failures, [
    'a second inbox that fails',
    'a second inbox that is closed',
    'a deferred constraint',
    'a deferred trigger with a code of its own',
    'a deferred trigger that ends the connection',
    'a statement that ends its connection',
    'the same, whose error the handler ignores',
    'a role without rights on the tables of the inbox',
    'a transaction that is made read-only',
  ]);
});
