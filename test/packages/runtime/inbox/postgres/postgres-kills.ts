import { join } from 'node:path';
import type { PostgresResult, PostgresScope } from '@countersign/runtime/inbox/postgres';
import type pg from 'pg';
import { afterAll, describe } from 'vitest';
import { describeKills, type KilledStore } from '../kills.ts';
import { startPostgres } from '../replay/postgres-server.ts';
import { openPostgres } from './postgres-harness.ts';

type OpenKilled = () => Promise<KilledStore<PostgresScope<pg.PoolClient>, PostgresResult>>;

/** Kills processes that use one Postgres, at each failpoint as often as given. */
export async function describePostgresKills(kills: number): Promise<void> {
  await describePostgres('killed-process.fixture.ts', (open) => describeKills(kills, open));
}

/** Starts a Postgres for processes that are killed. */
export async function describePostgres(
  program: string,
  describeAll: (open: OpenKilled) => void,
): Promise<void> {
  const server = await startPostgres();
  const { url = '' } = server ?? {};
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  describe.skipIf(server === undefined)('Postgres', () => {
    describeAll(async () => {
      const harness = await openPostgres(url);
      return { harness, command: [join(import.meta.dirname, program), url, harness.schema] };
    });
  });
}
