import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { describeKills } from '../kills.ts';
import { startPostgres } from '../replay/postgres-server.ts';
import { openPostgres } from './postgres-harness.ts';

/** Kills processes that use one Postgres, at each failpoint as often as given. */
export async function describePostgresKills(kills: number): Promise<void> {
  const server = await startPostgres();
  const { url = '' } = server ?? {};
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  describe.skipIf(server === undefined)('Postgres', () => {
    describeKills(kills, async () => {
      const harness = await openPostgres(url);
      const program = join(import.meta.dirname, 'killed-process.fixture.ts');
      return { harness, command: [program, url, harness.schema] };
    });
  });
}
