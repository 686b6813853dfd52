import { afterAll, describe } from 'vitest';
import { describeIdentification } from '../identification.ts';
import { openDatabase } from '../replay/postgres-database.ts';
import { reuseSchemas } from './postgres-harness.ts';

const database = await openDatabase();
const schemas = reuseSchemas(database?.url ?? '');
afterAll(async () => {
  await schemas[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

describe.skipIf(database === undefined)('a store in Postgres', () => {
  describeIdentification('Postgres', schemas.open);
});
