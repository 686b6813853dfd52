import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from './postgres-server.ts';

/** A database of Postgres that only the caller uses. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly url: string;
}

/**
 * Creates a database on the server that all tests of a run share: it starts when the first test asks for it, and
 * `prepare-run.ts` ends it. Tests that stop or configure their server start one of their own.
 * Returns `undefined` if there is no Postgres.
 */
export async function openDatabase(): Promise<PostgresDatabase | undefined> {
  const { COUNTERSIGN_POSTGRES: run, POSTGRES_URL: given = '' } = process.env;
  // One that is given has one database for tests, and without a run of tests nobody ends a shared one.
  if (run === undefined || given !== '') return await startPostgres();
  const response = await fetch(run);
  const server = await response.text();
  if (!response.ok) throw new Error(server);
  if (server === '') return undefined;
  const execute = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const name = `tests_${randomBytes(6).toString('hex')}`;
  await execute(`CREATE DATABASE ${name}`);
  return {
    url: new URL(name, server).href,
    [Symbol.asyncDispose]: () => execute(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}
