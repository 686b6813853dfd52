import { test } from 'vitest';
import { checkHistories } from '../store-properties.ts';
import { openSqlite } from './sqlite-harness.ts';

test('random histories keep order, repeat no effect and lose nothing', async () => {
  await checkHistories(openSqlite, 25);
});
