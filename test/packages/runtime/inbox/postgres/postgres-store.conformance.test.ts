import { afterAll, describe, test } from 'vitest';
import { describeAlerts } from '../alerts-conformance.ts';
import { describeDecisions } from '../decisions-conformance.ts';
import { describeKinds } from '../kinds-conformance.ts';
import { describeOperations } from '../operations-conformance.ts';
import { startPostgres } from '../replay/postgres-server.ts';
import { describeStore } from '../store-conformance.ts';
import { checkHistories } from '../store-properties.ts';
import { openPostgres } from './postgres-harness.ts';

const server = await startPostgres();
const open = (): ReturnType<typeof openPostgres> => openPostgres(server?.url ?? '');
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

describe.skipIf(server === undefined)('a store in Postgres', () => {
  describeStore('Postgres', open);
  describeOperations('Postgres', open);
  describeDecisions('Postgres', open);
  describeKinds('Postgres', open);
  describeAlerts('Postgres', open);

  test('random histories keep order, repeat no effect and lose nothing', async () => {
    await checkHistories(open, 25);
  });
});
