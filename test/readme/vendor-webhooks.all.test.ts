import { execFile, spawn } from 'node:child_process';
import {
  access,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runInProcess } from '../cli/run-in-process.ts';
import { compile } from '../targets/compile.ts';
import { repository } from '../targets/emit-project.ts';
import { serveDocuments } from '../packages/pull/document-server.ts';
import { expectShown } from './shown.ts';

const execute = promisify(execFile);
const nodeFlags = ['--conditions=countersign-source', '--no-warnings'];

const page = await readFile(join(repository, 'docs/guides/vendor-webhooks.md'), 'utf8');

/** The files of the guide; some are indented, because they are in a list. */
const files = new Map(
  Array.from(
    page.matchAll(/^( *)```(?:ts|yaml)\n *(?:\/\/|#) (\S+)\n([^]*?)^ *```$/gmu),
    ([, indent = '', name = '', text = '']) =>
      [name, text.replaceAll(new RegExp(`^${indent}`, 'gmu'), '')] as const,
  ),
);

interface Command {
  readonly line: string;
  readonly output: string;
}

/** The commands of the guide, with what they print, in order. */
const commands: readonly Command[] = Array.from(
  page.matchAll(/^```console\n([^]*?)^```$/gmu),
).flatMap(([, block = '']) =>
  Array.from(block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gmu), ([, line = '', output = '']) => ({
    line,
    output,
  })),
);

/** Returns the only command of the guide that begins with a text. */
function commandOf(start: string): Command {
  const [command, ...furtherCommands] = commands.filter(({ line }) => line.startsWith(start));
  expect(furtherCommands, start).toEqual([]);
  if (command === undefined) throw new Error(`The guide has no command ${start}`);
  return command;
}

const secret = 'It is a secret';
const withSecret = `WEBHOOK_SECRET='${secret}' `;
const performed = new Set<string>();
let folder: string;

/** Runs the toolkit as a line of the guide says, and compares what it prints. */
async function countersign(
  start: string,
  adapt: (line: string) => string = (line) => line,
  shownAs: (printed: string) => string = (printed) => printed,
  expected = 0,
): Promise<void> {
  const { line, output } = commandOf(start);
  performed.add(line);
  const [, secret, words = ''] =
    /^(?:WEBHOOK_SECRET='([^']*)' )?npx countersign (.*)$/u.exec(adapt(line)) ?? [];
  const environment = secret === undefined ? {} : { WEBHOOK_SECRET: secret };
  const { code, out, error } = await runInProcess(folder, words.split(' '), environment);
  expect(code, error).toBe(expected);
  if (output !== '') expectShown(shownAs(out), output);
}

async function write(name: string): Promise<void> {
  const text = files.get(name);
  if (text === undefined) throw new Error(`The guide has no file ${name}`);
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

/** Changes a file of the project in one place. */
async function edit(name: string, text: string, replacement: string): Promise<void> {
  const before = await readFile(join(folder, name), 'utf8');
  expect(before.split(text), name).toHaveLength(2);
  await writeFile(join(folder, name), before.replace(text, replacement));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

interface Running {
  readonly port: number;
  /** The lines that the application has printed since it listens. */
  readonly lines: () => readonly string[];
}

/** Starts the application of the guide. */
async function start(): Promise<Running> {
  const { line, output } = commandOf(`${withSecret}node app.ts`);
  performed.add(line);
  const port = await freePort();
  const program = spawn(process.execPath, [...nodeFlags, 'app.ts'], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  onTestFinished(() => void program.kill());
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  await vi.waitFor(() => expect(printed).toBe(output), { timeout: 30_000, interval: 50 });
  return { port, lines: () => printed.slice(output.length).split('\n').slice(0, -1) };
}

/** Runs the program of the guide that sends the payloads of an event, and returns what it prints. */
async function deliver(event: string, { port }: Running): Promise<string> {
  const { stdout } = await execute(process.execPath, [...nodeFlags, 'deliver.ts', event], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  return stdout;
}

async function assertCompiles(): Promise<void> {
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    customConditions: ['countersign-source'],
    types: ['node'],
  };
  const include = ['*.ts'];
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  await compile('ts7', folder, ['-p', '.']);
}

// The commands of the guide up to the first delivery, in its order.
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-guide-')));
  // Installed packages are those of this repository: the toolkit is not in a registry.
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const installs = commands.filter(({ line }) => line.startsWith('npm install '));
  const names = installs.flatMap(({ line }) =>
    line.split(' ').filter((word, index) => index > 1 && !/^--|\.tgz$/u.test(word)),
  );
  expect(names).toHaveLength(4);
  for (const name of names) await access(join(folder, 'node_modules', name));
  for (const { line } of installs) performed.add(line);
  // What the first of them writes; `vendor-webhooks.followed.all.test.ts` installs the packages.
  await writeFile(
    join(folder, 'package.json'),
    '{\n  "dependencies": {\n    "express": "^5.3.0"\n  }\n}\n',
  );
  const setting = commandOf('npm pkg set ');
  performed.add(setting.line);
  await execute('npm', setting.line.split(' ').slice(1), { cwd: folder });
  const copy = commandOf('cp ');
  performed.add(copy.line);
  await execute('cp', copy.line.split(' ').slice(1), { cwd: folder });
  await countersign('npx countersign init ');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('what `init` writes compiles, before anything is edited', async () => {
  expect(await readFile(join(folder, 'webhooks.ts'), 'utf8')).toContain('createWebhooksRouter({');
  await assertCompiles();
});

describe('with the files of the guide', () => {
  beforeAll(async () => {
    for (const name of files.keys()) await write(name);
    const asked = "{ use: 'webhooks', deviations: true }";
    expect(page).toContain(`write \`${asked}\` in place of \`'webhooks'\``);
    await edit('countersign.config.ts', "'webhooks',", `${asked},`);
    await countersign('npx countersign generate');
  });

  test('the files compile', async () => {
    expect([...files.keys()]).toEqual([
      'countersign.config.ts',
      'overlays/kinds.yaml',
      'webhooks.ts',
      'app.ts',
      'deliver.ts',
      'overlays/deviations.yaml',
      'deviations.ts',
    ]);
    await assertCompiles();
  });

  test('the first delivery is that of `send`', async () => {
    const running = await start();
    await countersign(
      `${withSecret}npx countersign send ping`,
      (line) => line.replace(':3000/', `:${running.port}/`),
      (printed) => printed.replace(`:${running.port}/`, ':3000/'),
    );
    expect(running.lines()).toHaveLength(1);
    expect(page).toContain(`The application prints \`${running.lines().join()}\``);
  });

  test('with another secret, both sides say what is wrong', async () => {
    const running = await start();
    await countersign(
      "WEBHOOK_SECRET='It is another' npx countersign send ping",
      (line) => line.replace(':3000/', `:${running.port}/`),
      (printed) => printed.replace(`:${running.port}/`, ':3000/'),
      1,
    );
    // The record of a delivery can follow its response.
    await vi.waitFor(() => expect(running.lines()).toHaveLength(1));
    const [line = ''] = running.lines();
    const [, printed = '', id = ''] = /^(401 .*) (\S+)$/u.exec(line) ?? [];
    expect(id).toMatch(/^[\da-f-]{36}$/u);
    expect(page).toContain(`The application prints \`${printed}\`, with the id of the delivery.`);
  });

  test('payloads of the service reach their handlers; those of a push violate the document', async () => {
    const running = await start();
    for (const event of ['issues', 'push']) {
      const { line, output } = commandOf(`${withSecret}node deliver.ts ${event}`);
      performed.add(line);
      expectShown(await deliver(event, running), output);
    }
    expect(running.lines()).toContain('opened: Spelling error in the README file');
    expect(running.lines()).toContain('not in use: issues');
    const [, shown = ''] = /^```text\n([^]*?)^```$/mu.exec(page) ?? [];
    const invalid = running.lines().filter((line) => line.startsWith('invalid'));
    expect(new Set(invalid)).toEqual(new Set(shown.trim().split('\n')));
    await vi.waitFor(() => {
      const refused = running.lines().filter((line) => line.startsWith('422 invalid '));
      expect(refused).toHaveLength(7);
    });
    await deliver('star', running);
    expect(running.lines().at(-1)).toBe('not in use: star');
  });

  test('a signature with another secret is refused', async () => {
    const running = await start();
    const { status } = await fetch(`http://127.0.0.1:${running.port}/webhooks`, {
      method: 'POST',
      headers: { 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      body: '{}',
    });
    const lines = [expect.stringMatching('^401 unauthentic signature-mismatch ')];
    expect(status).toBe(401);
    await vi.waitFor(() => expect(running.lines()).toEqual(lines));
  });

  test('a kind that is handed over reaches the handler of the choice', async () => {
    await edit(
      'webhooks.ts',
      'import {',
      `import { deviations } from './deviations.ts';\nimport {`,
    );
    await edit('webhooks.ts', '  on: {', '  deviations,\n  on: {');
    onTestFinished(() => write('webhooks.ts'));
    await assertCompiles();
    const running = await start();
    expect(await deliver('push', running)).toBe('push 200\n'.repeat(7));
    expect(running.lines()).toHaveLength(7);
    for (const line of running.lines()) expect(line).toMatch(/^push that lacks [13] of \d+$/u);
  });

  test('with the corrected document, each push is handled', async () => {
    await edit(
      'countersign.config.ts',
      "'overlays/kinds.yaml'",
      "'overlays/kinds.yaml', 'overlays/deviations.yaml'",
    );
    const { code, error } = await runInProcess(folder, ['generate']);
    expect(code, error).toBe(0);
    const running = await start();
    expect(await deliver('push', running)).toBe('push 200\n'.repeat(7));
    for (const line of running.lines()) expect(line).toMatch(/^push to \S+ refs\//u);
    expect(running.lines()).toHaveLength(7);
  });
});

test('`pull` fetches a document, and what it refers to', async () => {
  const schema = { $ref: './schemas/Order.json' };
  const orderPaid = { post: { requestBody: { content: { 'application/json': { schema } } } } };
  const document = {
    openapi: '3.1.1',
    info: { title: 'Orders', version: '1.0.0' },
    webhooks: { orderPaid },
  };
  await using server = await serveDocuments({
    '/openapi.json': JSON.stringify(document),
    '/schemas/Order.json': '{ "type": "object" }',
  });
  const address = 'https://api.example.com';
  await countersign(
    'npx countersign pull ',
    (line) => `${line.replace(address, server.origin)} --allow-private`,
    (printed) => printed.replaceAll(server.origin, address),
  );
});

test('no command of the guide was left out', () => {
  expect([...performed].toSorted()).toEqual(commands.map(({ line }) => line).toSorted());
});
