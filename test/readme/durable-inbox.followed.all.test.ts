import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { openPool, startPostgres } from '../packages/runtime/inbox/replay/postgres-server.ts';
import { repository } from '../targets/emit-project.ts';
import { copyContract, expectShown } from './shown.ts';

/** A fenced block of the guide. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** A shell, and what it has printed. */
interface Shell {
  readonly child: ChildProcess;
  out: string;
}

const guide = await readFile(join(repository, 'docs/guides/durable-inbox.md'), 'utf8');
const blocks: readonly Block[] = Array.from(
  guide.matchAll(/^```(\w+)\n([^]*?)^```$/gmu),
  ([, language = '', text = '']) => ({ language, text }),
);

let folder = '';
let environment: NodeJS.ProcessEnv = {};
/** What the guide shows, and what it is here. */
const replaced = new Map<string, string>();
const shells: Shell[] = [];
let steps = 0;

afterEach(() => {
  for (const { child } of shells)
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
});

it('the guide to the inbox works word for word, on SQLite and on Postgres', async (context) => {
  await using server = await startPostgres();
  if (server === undefined) {
    context.skip('there is no Postgres');
    return;
  }
  const clone = await copyContract();
  folder = join(clone, 'inbox-guide');
  const modules = join(clone, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const name of ['@countersign', '@instant-payment', 'pg'])
    await symlink(join(repository, 'node_modules', name), join(modules, name));
  await symlink(
    join(repository, 'generator/bin/countersign.cjs'),
    join(modules, '.bin/countersign'),
  );
  await mkdir(folder);
  environment = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    NODE_OPTIONS: '--conditions=countersign-source',
    NO_COLOR: '1',
  };
  replaced.set('3000', `${await freePort()}`).set('3001', `${await freePort()}`);
  replaced.set('postgres://postgres:development@127.0.0.1:5432/postgres', server.url);
  const shell = openShell();
  for (const { language, text } of blocks)
    if (language === 'ts') await save(text);
    else if (text.startsWith('npm ci\n'))
      expect(text).toMatch(/mkdir inbox-guide\ncd inbox-guide\n$/u);
    else if (language === 'sh') await runAll(shell, text);
    else if (language === 'console') await follow(shell, text);
  expect(steps).toBeGreaterThan(10);
  const database = new DatabaseSync(join(folder, 'inbox.db'));
  expect(database.prepare('SELECT count(*) AS rows FROM settled').get()).toEqual({ rows: 1 });
  database.close();
  const pool = openPool(server.url, { max: 1 });
  expect((await pool.query('SELECT status FROM settled')).rows).toEqual([{ status: 1 }]);
  await pool.end();
}, 300_000);

/** Writes a file of the guide. */
async function save(text: string): Promise<void> {
  const [, name = ''] = /^\/\/ (\S+\.ts)\n/u.exec(text) ?? [];
  expect(name).not.toBe('');
  await writeFile(join(folder, name), text);
}

/** Runs the lines of a block in the shell that stays open. */
async function runAll(shell: Shell, text: string): Promise<void> {
  for (const line of text.trimEnd().split('\n')) {
    // The server is there.
    if (line.startsWith('docker run ')) continue;
    const out = await run(shell, line);
    const [, port] = /PORT=(\d+) node/u.exec(adapt(line)) ?? [];
    if (port !== undefined) await untilAnswered(Number(port));
    expect(out, line).toMatch(/\[exit 0\]$/u);
  }
}

/** Runs the commands of a block, and compares what they print. */
async function follow(shell: Shell, text: string): Promise<void> {
  for (const part of text.split(/^\$ /mu).slice(1)) {
    const [command = '', ...lines] = part.split('\n');
    const shown = lines.join('\n');
    if (command.startsWith('node ')) {
      await work(command, shown);
      continue;
    }
    let out = (await run(shell, command)).replace(/\[exit 0\]$/u, '');
    for (const [inGuide, here] of replaced) out = out.replaceAll(here, inGuide);
    const steady = (value: string): string => value.replaceAll(/in \d+ ms/gu, 'in 12 ms');
    expectShown(steady(out), steady(shown));
  }
}

/** Runs a worker in a second terminal until it has printed the last line, and ends it with Ctrl-C. */
async function work(command: string, shown: string): Promise<void> {
  steps += 1;
  const started = performance.now();
  const [program = '', ...words] = command.split(' ');
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...environment, ...(await exported()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
    });
  const lines = shown.split('\n').filter((line) => line !== '' && line !== '…');
  for (const line of lines)
    await expect.poll(() => out, { timeout: 20_000 }).toContain(line.replace(/ …$/u, ''));
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect(await exit, out).toEqual([0, null]);
  report(command, started, out);
}

/** Returns the variables that the guide has exported. */
async function exported(): Promise<Readonly<Record<string, string>>> {
  const [shell] = shells;
  if (shell === undefined) throw new Error('there is no shell');
  const out = await run(shell, 'env');
  return Object.fromEntries(
    Array.from(out.matchAll(/^(WEBHOOK_SECRET|DATABASE_URL)=(.*)$/gmu), ([, name = '', value]) => [
      name,
      value ?? '',
    ]),
  );
}

/** Starts a shell that reads commands. It is a group of its own, which ends with all that it has started. */
function openShell(): Shell {
  const child = spawn('bash', ['-m'], { cwd: folder, env: environment, detached: true });
  const shell: Shell = { child, out: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shell.out += text;
  });
  shells.push(shell);
  return shell;
}

/** Runs a line. Returns what it prints, and its exit code in `[exit …]`. */
async function run(shell: Shell, line: string): Promise<string> {
  steps += 1;
  const started = performance.now();
  shell.out = '';
  // What runs in the background must not write into the output of later lines.
  const quiet = line.endsWith('&') ? line.replace(/&$/u, '>/dev/null 2>&1 &') : line;
  shell.child.stdin?.write(`${adapt(quiet)}\necho "[exit $?]"\n`);
  await expect.poll(() => shell.out, { timeout: 30_000 }).toMatch(/\[exit \d+\]\n$/u);
  if (line !== 'env') report(line, started, shell.out);
  return shell.out.trimEnd();
}

function adapt(line: string): string {
  let text = line;
  for (const [shown, here] of replaced) text = text.replaceAll(shown, here);
  return text;
}

async function untilAnswered(port: number): Promise<void> {
  const get = async (): Promise<number | undefined> =>
    (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.status;
  await expect.poll(get, { timeout: 20_000 }).toBeDefined();
}

/** Writes the transcript, where it is wanted. */
function report(line: string, started: number, out: string): void {
  if (process.env['GUIDE_TRANSCRIPT'] !== '1') return;
  console.log(`[${((performance.now() - started) / 1000).toFixed(1)} s] $ ${line}\n${out}`);
}
