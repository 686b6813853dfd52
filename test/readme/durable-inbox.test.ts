import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliver } from '@instant-payment/webhooks/testing';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { openDatabase } from '../packages/runtime/inbox/replay/postgres-database.ts';
import { openPool } from '../packages/runtime/inbox/replay/postgres-server.ts';
import { repository } from '../targets/emit-project.ts';
import { expectShown } from './shown.ts';

const guide = await readFile(join(repository, 'docs/guides/durable-inbox.md'), 'utf8');
const secret = 'secret-of-the-guide';
let folder = '';

beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  for (const [text, name = ''] of guide.matchAll(/(?<=^```ts\n)\/\/ (\S+)\n[^]*?(?=^```$)/gmu))
    await writeFile(join(folder, name), text);
});

/** Returns what the guide shows of a command. */
function shown(command: string): string {
  const [, output = ''] = guide.split(`\`\`\`console\n$ ${command}\n`);
  return output.split('```', 1).join('');
}

/** Starts a program of the guide. It is killed when the test has ended. */
function start(program: string, environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=countersign-source', program], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, NO_COLOR: '1', ...environment },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function send(
  port: number,
  kind: 'cashoutStageTwo' | 'customer',
  body: object,
): Promise<number> {
  const request = await deliver(kind, {
    url: `http://127.0.0.1:${port}`,
    headers: { 'x-webhook-secret': secret },
    body,
  });
  return (await fetch(request)).status;
}

async function command(line: string): Promise<void> {
  const words = line.split(' ').slice(2);
  expectShown((await runInProcess(folder, words)).out, shown(line));
}

it('the guide shows what happens from the receipt of a notification to its retry', async () => {
  const [code] = await once(start('create-table.ts'), 'exit');
  expect(code).toBe(0);
  const port = await freePort();
  start('receiver.ts', { PORT: String(port) });
  const answered = async (): Promise<number | undefined> =>
    await send(port, 'cashoutStageTwo', {}).catch(() => undefined);
  await expect.poll(answered, { timeout: 10_000 }).toBe(200);
  expect(await send(port, 'customer', { protocolId: 7 })).toBe(200);
  await command('npx countersign inbox stats --store inbox.db');

  const worker = start('worker.ts');
  let output = '';
  for (const stream of [worker.stdout, worker.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 10_000 }).toContain('is not tried again');
  await sleep(50);
  worker.kill('SIGTERM');
  const [stopped] = await once(worker, 'exit');
  expect(stopped).toBe(0);
  const lines = output.replace(/(?<=is not tried again ).*/u, '…');
  expect(lines.split('\n').toSorted()).toEqual(expect.arrayContaining(linesOf('node worker.ts')));
  const database = new DatabaseSync(join(folder, 'inbox.db'));
  const rows = database.prepare('SELECT count(*) AS rows FROM settled').get();
  database.close();
  expect(rows).toEqual({ rows: 1 });

  const dead = 'inbox list --store inbox.db --state dead';
  expect((await runInProcess(folder, dead.split(' '))).out).toMatch(/^\S+ {2}dead {2}/u);
  await command('npx countersign inbox retry --store inbox.db --state dead --yes --by ana');
});

it('the guide books in Postgres, in the transaction of the event', async (context) => {
  await using database = await openDatabase();
  if (database === undefined) {
    context.skip('there is no Postgres');
    return;
  }
  const pool = openPool(database.url, { max: 1 });
  await pool.query('CREATE TABLE settled (txid text PRIMARY KEY, status integer NOT NULL)');
  await writeFile(join(folder, 'main.postgres.ts'), mainOfPostgres);
  const [code] = await once(start('main.postgres.ts', { DATABASE_URL: database.url }), 'exit');
  expect(code).toBe(0);
  const { rows } = await pool.query('SELECT status FROM settled');
  expect(rows).toEqual([{ status: 1 }]);
});

/** Receives a notification, and ends when it is handled. */
const mainOfPostgres = `
import { createWebhooks, unauthenticated } from '@instant-payment/webhooks';
import { deliver } from '@instant-payment/webhooks/testing';
import { inbox, store } from './inbox.postgres.ts';
await store.migrate();
const { worker } = await import('./worker.postgres.ts');
const { fetch } = createWebhooks({ authenticate: unauthenticated(), inbox });
const { status } = await fetch(await deliver('cashoutStageTwo'));
while ((await store.stats()).byState.done < 1) await new Promise((done) => setTimeout(done, 20));
await worker.close();
process.exit(status === 200 ? 0 : 1);
`;

/** Returns the lines that the guide shows of a program, without those that stand for others. */
function linesOf(program: string): string[] {
  return shown(program)
    .split('\n')
    .filter((line) => line !== '…' && line !== '');
}
