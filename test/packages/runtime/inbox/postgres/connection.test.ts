import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('a server that ends a connection at once does not end the process', async () => {
  const program = join(import.meta.dirname, 'connection.fixture.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', program],
    { timeout: 60_000 },
  );
  expect(stdout.trim().split('\n')).toEqual([
    'stats store-failed',
    'claim store-failed',
    'receive store-failed',
    'migrate store-failed',
    'replay store-failed',
  ]);
});
