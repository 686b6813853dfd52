import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { linkPackages } from '../cli/linked-project.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { repository } from '../targets/emit-project.ts';
import { expectShown } from './shown.ts';
import { steady } from './steady.ts';

/** A fenced block of the guide. */
interface Block {
  readonly language: string;
  readonly text: string;
}

/** A process that runs until the guide stops it, and what it has printed. */
interface Running {
  readonly child: ChildProcess;
  readonly closed: Promise<unknown>;
  out: string;
}

const guide = await readFile(join(repository, 'docs/guides/local-development.md'), 'utf8');
const blocks: readonly Block[] = Array.from(
  guide.matchAll(/^```(\w+)\n([^]*?)^```$/gmu),
  ([, language = '', text = '']) => ({ language, text }),
);

let parent = '';
let folder = '';
/** The environment of a user: npm and Vitest set variables for this repository. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^API_ORDERS_BASE_URL$/u.test(name)),
  ),
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  NODE_OPTIONS: '--conditions=countersign-source',
  NO_COLOR: '1',
  PORT: String(await freePort()),
};
let application: Running | undefined;
let simulator: Running | undefined;

afterEach(async () => {
  await stop(simulator);
  await stop(application);
});

it('the guide to local development shows what happens, from init to the tests', async () => {
  parent = await temporaryFolder();
  folder = join(parent, 'shop');
  for (const block of blocks) {
    const { language, text } = block;
    if (language === 'console') await follow(text);
    else if (language === 'text') await expectPrinted(text);
    else if (language !== 'sh') await save(text);
  }
}, 300_000);

/** Runs the command of a block, and compares what it prints. */
async function follow(text: string): Promise<void> {
  const [first = '', ...rest] = text.split('\n');
  const command = first.slice('$ '.length);
  const shown = rest.join('\n');
  const [program, name, ...words] = split(command);
  if (program === 'npx') {
    const isInit = name === 'countersign' && words[0] === 'init';
    const clone = join(parent, 'countersign');
    if (isInit) await mkdir(clone);
    compare((await runInProcess(isInit ? clone : folder, words)).out, shown);
    if (isInit) await install();
  } else if (command.startsWith('npm run simulate')) {
    await stop(simulator);
    await simulate(words.slice(2), shown);
  } else if (command.startsWith('npm start')) {
    application = start(['--silent', 'start', ...words], 'pipe');
    await printed(application, shown);
  } else if (command === 'npm test') {
    await stop(simulator);
    const outputOfRoot = await execute('node --test --test-reporter=spec test/*.test.ts', folder);
    const node = 'node --test --test-reporter=spec test/*.test.ts';
    compare(outputOfRoot + (await execute(node, join(folder, 'apps/receiver'))), shown);
  } else compare(await execute(command, folder), shown);
}

/** Starts the simulator on free ports, and compares what it prints at the start, or until it ends. */
async function simulate(words: readonly string[], shown: string): Promise<void> {
  const to = `http://127.0.0.1:${environment['PORT']}/webhooks`;
  const ports = ['--port', '0', '--console-port', '0', '--to', to];
  simulator = start(['--silent', 'run', 'simulate', '--', ...words, ...ports]);
  if (words.includes('--workflow')) {
    await printed(simulator, 'Waits for a call of "placeOrder".\n');
    await learn(simulator.out);
    await execute('node --env-file=apps/receiver/.env order.ts', folder);
  }
  const ends = words.includes('--workflow') || words.includes('--deliveries');
  if (ends) await simulator.closed;
  else await printed(simulator, shown.split('…\n').at(-1) ?? '');
  await learn(simulator.out);
  if (ends) expect(simulator.child.exitCode, simulator.out).toBe(0);
  compare(simulator.out.replace(ends ? '' : /\n\n$/u, ends ? '' : '\n'), shown);
}

/** Writes the variables that the simulator prints into the application's file. */
async function learn(out: string): Promise<void> {
  const file = join(folder, 'apps/receiver/.env');
  const before = await readFile(file, 'utf8').catch(() => '');
  const lines = Array.from(out.matchAll(/^ {2}([A-Z_]+=.*)$/gmu), ([, line = '']) => line);
  const names = lines.map((line) => line.replace(/=.*/u, '='));
  const kept = before.split('\n').filter((line) => !names.some((name) => line.startsWith(name)));
  await writeFile(file, [...lines, ...kept].join('\n'));
}

/** Writes a file of the guide, or the contract of its configuration. */
async function save(text: string): Promise<void> {
  const [, file] = /^(?:\/\/|#) (\S+\.(?:ts|yaml))\n/u.exec(text) ?? [];
  if (file !== undefined) {
    await writeFile(join(folder, file), text);
    return;
  }
  const config = join(folder, 'countersign.config.ts');
  const before = await readFile(config, 'utf8');
  const after = before.replace(/contract: \{.*\},\n/u, text);
  expect(after).not.toBe(before);
  await writeFile(config, after);
}

/** Waits until the application or the simulator has printed these lines. */
async function expectPrinted(text: string): Promise<void> {
  await expect
    .poll(() => steady(`${application?.out ?? ''}${simulator?.out ?? ''}`), { timeout: 10_000 })
    .toContain(steady(text));
}

async function printed(running: Running, text: string): Promise<void> {
  await expect.poll(() => steady(running.out), { timeout: 30_000 }).toContain(steady(text));
}

function compare(out: string, shown: string): void {
  expectShown(steady(out), steady(shown));
}

/** Links the packages as `npm install` would install them. */
async function install(): Promise<void> {
  await linkPackages(folder, '@orders');
}

function start(words: readonly string[], errors: 'pipe' | 'ignore' = 'ignore'): Running {
  // npm starts further processes. A group of their own ends with all of them.
  const child = spawn('npm', words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', errors],
    detached: true,
  });
  const running: Running = { child, closed: once(child, 'close'), out: '' };
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      running.out += text;
    });
  return running;
}

async function stop(running: Running | undefined): Promise<void> {
  if (running?.child.pid === undefined || running.child.exitCode !== null) return;
  process.kill(-running.child.pid, 'SIGINT');
  await running.closed;
}

async function execute(command: string, cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd, env: environment });
  return stdout;
}

/** Returns the words of a command line; those in single quotes are one. */
function split(command: string): readonly string[] {
  const words = command.matchAll(/'([^']*)'|(\S+)/gu);
  return Array.from(words, ([, quoted, plain = '']) => quoted ?? plain);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
