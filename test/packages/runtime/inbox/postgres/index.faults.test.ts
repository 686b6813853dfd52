import { afterAll, describe } from 'vitest';
import { startPostgres } from '../replay/postgres-server.ts';
import { describeWorkerFaults } from '../worker-faults.ts';
import { openPostgres } from './postgres-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

describe.skipIf(server === undefined)('a store in Postgres', () => {
  describeWorkerFaults('Postgres', () => openPostgres(server?.url ?? ''));
});
