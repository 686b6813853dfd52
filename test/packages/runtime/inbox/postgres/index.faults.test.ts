import { afterAll, describe } from 'vitest';
import { openDatabase } from '../replay/postgres-database.ts';
import { describeWorkerFaults } from '../worker-faults.ts';
import { reuseSchemas } from './postgres-harness.ts';

const database = await openDatabase();
const schemas = reuseSchemas(database?.url ?? '');
afterAll(async () => {
  await schemas[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

describe.skipIf(database === undefined)('a store in Postgres', () => {
  describeWorkerFaults('Postgres', schemas.open);
});
