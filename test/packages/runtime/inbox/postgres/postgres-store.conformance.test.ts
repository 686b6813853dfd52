import { afterAll, describe, test } from 'vitest';
import { describeAlerts } from '../alerts-conformance.ts';
import { describeDecisions } from '../decisions-conformance.ts';
import { describeKinds } from '../kinds-conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { openDatabase } from '../replay/postgres-database.ts';
import { describeStore } from '../store-conformance.ts';
import { checkHistories } from '../store-properties.ts';
import { reuseSchemas } from './postgres-harness.ts';

const database = await openDatabase();
const { open, ...schemas } = reuseSchemas(database?.url ?? '');
afterAll(async () => {
  await schemas[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

describe.skipIf(database === undefined)('a store in Postgres', () => {
  describeStore('Postgres', open);
  describeOperations('Postgres', open);
  describeDecisions('Postgres', open);
  describeKinds('Postgres', open);
  describeAlerts('Postgres', open);

  test('random histories keep order, repeat no effect and lose nothing', async () => {
    await checkHistories(open, 25);
  });
});
