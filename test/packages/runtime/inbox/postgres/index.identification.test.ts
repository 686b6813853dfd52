import { afterAll, describe } from 'vitest';
import { describeIdentification } from '../identification.ts';
import { startPostgres } from '../replay/postgres-server.ts';
import { openPostgres } from './postgres-harness.ts';

const server = await startPostgres();
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

describe.skipIf(server === undefined)('a store in Postgres', () => {
  describeIdentification('Postgres', () => openPostgres(server?.url ?? ''));
});
