import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';

/** What a run does whose tests leave a folder behind. */
const run = `
  import { mkdir, mkdtemp } from 'node:fs/promises';
  import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  const { default: prepareRun } = await import(${JSON.stringify(new URL('../prepare-run.ts', import.meta.url).href)});
  const before = tmpdir();
  const finish = await prepareRun();
  await mkdir(join(await mkdtemp(join(tmpdir(), 'left-')), 'of/a/test'), { recursive: true });
  if (process.argv[1] === 'finishes') {
    await finish();
    if (tmpdir() !== before) throw new Error(tmpdir());
  } else {
    const asked = process.argv[1] === 'uses Postgres' ? await fetch(process.env.COUNTERSIGN_POSTGRES) : undefined;
    process.stdout.write((await asked?.text()) ?? 'running');
    setInterval(() => undefined, 1000);
  }
`;

it('gives the tests a temporary folder of their own', () => {
  expect(basename(tmpdir())).toMatch(/^countersign-tests-/u);
});

it.each(['finishes', 'SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'leaves nothing in the temporary folder when the run ends: %s',
  async (end) => {
    const parent = await temporaryFolder();
    await writeFile(join(parent, 'of-somebody-else'), '');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', run, end], {
      env: { ...process.env, TMPDIR: parent, TEMP: parent, TMP: parent },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    if (end === 'finishes') {
      await expect(exited).resolves.toEqual([0, null]);
      await expect(readdir(parent)).resolves.toEqual(['of-somebody-else']);
      return;
    }
    await once(child.stdout, 'data');
    await expect(readdir(parent)).resolves.toHaveLength(2);
    child.kill(end);
    await exited;
    await expect.poll(() => readdir(parent)).toEqual(['of-somebody-else']);
  },
);

it('ends the Postgres of a run that is killed', async (context) => {
  const parent = await temporaryFolder();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', run, 'uses Postgres'], {
    env: { ...process.env, TMPDIR: parent, TEMP: parent, TMP: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let url = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    url = text as string;
    child.kill('SIGKILL');
  }
  await exited;
  const isStarted = URL.canParse(url) && process.env['POSTGRES_URL'] === undefined;
  context.skip(!isStarted, 'this run starts no Postgres');
  const connect = async (): Promise<unknown> => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    return await once(socket, 'connect').finally(() => socket.destroy());
  };
  await expect
    .poll(() => connect().catch((error: unknown) => error))
    .toMatchObject({ code: 'ECONNREFUSED' });
  await expect.poll(() => readdir(parent)).toEqual([]);
});

it('removes what runs left long ago whose processes were all ended at once', async () => {
  const parent = await temporaryFolder();
  for (const name of ['countersign-tests-old', 'countersign-tests-new', 'other'])
    await mkdir(join(parent, name, 'folder'), { recursive: true });
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (const name of ['countersign-tests-old', 'other'])
    await utimes(join(parent, name), longAgo, longAgo);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', run, 'finishes'], {
    env: { ...process.env, TMPDIR: parent, TEMP: parent, TMP: parent },
    stdio: 'inherit',
  });
  await expect(once(child, 'exit')).resolves.toEqual([0, null]);
  await expect(readdir(parent)).resolves.toEqual(['countersign-tests-new', 'other']);
});
