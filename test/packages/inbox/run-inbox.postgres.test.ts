import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresStore } from '@countersign/runtime/inbox/postgres';
import { expect, test } from 'vitest';
import { run } from '../../../generator/cli/run.ts';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { openDatabase } from '../runtime/inbox/replay/postgres-database.ts';
import { openPool } from '../runtime/inbox/replay/postgres-server.ts';
import { claimOne, receipt } from '../runtime/inbox/store-harness.ts';
import { repository } from '../../targets/emit-project.ts';
import type { Run } from '../../cli/project.ts';

/** Runs the command with a variable that has the URL of the database. */
async function inboxIn(
  folder: string,
  url: string,
  ...parameters: readonly string[]
): Promise<Run> {
  let out = '';
  let error = '';
  const code = await run(['inbox', ...parameters, '--store', 'env:DATABASE_URL'], {
    folder,
    environment: { DATABASE_URL: url },
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    out: (text) => void (out += text),
    error: (text) => void (error += text),
  });
  return { code, out, error };
}

test('the command operates an inbox in Postgres', async (context) => {
  await using database = await openDatabase();
  if (database === undefined) {
    context.skip('there is no Postgres');
    return;
  }
  const { url } = database;
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{}');
  const without = await inboxIn(folder, url, 'stats');
  expect(without.error).toContain('npm install pg');
  await writeFile(join(folder, 'pnpm-lock.yaml'), '');
  expect((await inboxIn(folder, url, 'stats')).error).toContain('pnpm add pg');

  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const empty = await inboxIn(folder, url, 'stats');
  expect(empty.code).not.toBe(0);
  expect(empty.error).not.toContain(new URL(url).password);

  const pool = openPool(url, { max: 3 });
  const store = postgresStore(pool);
  await store.migrate();
  await store.receive(receipt({ kind: 'shipDocked', orderKey: 'gull' }));
  await store.bury(await claimOne(store), { error: 'ShipError', afterDeadLetter: 'wait' });
  const listed = await inboxIn(folder, url, 'list', '--state', 'dead');
  expect(listed).toMatchObject({ code: 0, error: '' });
  expect(listed.out).toContain('shipDocked  key gull');
  const exported = await inboxIn(folder, url, 'export', '--payloads', '--by', 'ana');
  expect(JSON.parse(exported.out)).toMatchObject({ kind: 'shipDocked', bodyEncoding: 'utf8' });
  const preview = await inboxIn(folder, url, 'retry', '--state', 'dead');
  expect(preview.out).toMatch(
    /^1 event to retry, received from .*\n {2}1 {2}dead {7}shipDocked\n/u,
  );
  const retried = await inboxIn(folder, url, 'retry', '--state', 'dead', '--yes', '--by', 'ana');
  expect(retried.out).toBe('1 event to be handled again\n');
  expect(await store.audit()).toMatchObject([
    { by: 'ana', action: 'retry' },
    { by: 'ana', action: 'reveal' },
  ]);
  await store.close();

  const stopped = await inboxIn(folder, url.replace(/:\d+\//u, ':1/'), 'stats');
  expect(stopped.code).not.toBe(0);
  expect(stopped.error).not.toContain(new URL(url).password);
});

test.each([
  ['env:DATABASE_URL', 'is an unset variable', 1, 'DATABASE_URL is not set'],
  ['env:postgres://ana:secret@host/', 'is not the name of a variable', 2, 'not the secret itself'],
  ['mysql://localhost/inbox', 'has another protocol', 2, 'postgres://'],
])('a store at %s, which %s, ends the command with %d', async (store, _what, exitCode, says) => {
  const folder = await temporaryFolder();
  let error = '';
  const code = await run(['inbox', 'stats', '--store', store], {
    folder,
    environment: {},
    outIsTerminal: false,
    errorIsTerminal: false,
    columns: 80,
    out: () => undefined,
    error: (text) => void (error += text),
  });
  expect(code).toBe(exitCode);
  expect(error).toContain(says);
  expect(error).not.toContain('secret@');
});

test('the command names the reason why the server cannot be reached', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{}');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const { code, error } = await inboxIn(folder, 'postgres://127.0.0.1:1/secret', 'stats');
  expect({ code, error }).toEqual({
    code: 1,
    error: 'countersign: The inbox in Postgres or its connection failed (ECONNREFUSED)\n',
  });
});
