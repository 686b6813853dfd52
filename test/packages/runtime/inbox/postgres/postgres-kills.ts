import { join } from 'node:path';
import type { PostgresResult, PostgresScope } from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import { afterAll, describe } from 'vitest';
import { describeKills, type KilledStore } from '../kills.ts';
import { openDatabase } from '../replay/postgres-database.ts';
import { openPostgres } from './postgres-harness.ts';

type OpenKilled = () => Promise<KilledStore<PostgresScope<pg.PoolClient>, PostgresResult>>;

/** Kills processes that use one Postgres, at each failpoint as often as given. */
export async function describePostgresKills(kills: number): Promise<void> {
  await describePostgres('killed-process.fixture.ts', (open) => describeKills(kills, open));
}

/** Opens a database for processes that are killed. */
export async function describePostgres(
  program: string,
  describeAll: (open: OpenKilled) => void,
): Promise<void> {
  const database = await openDatabase();
  const { url = '' } = database ?? {};
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
  });
  describe.skipIf(database === undefined)('Postgres', () => {
    describeAll(async () => {
      const harness = await openPostgres(url);
      return { harness, command: [join(import.meta.dirname, program), url, harness.schema] };
    });
  });
}
