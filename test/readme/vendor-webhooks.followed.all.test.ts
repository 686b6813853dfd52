import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { freePort } from '../packages/runtime/inbox/replay/free-port.ts';
import { buildAll, packToolkit, repository } from '../packaging/project.ts';
import { expectShown } from './shown.ts';

const execute = promisify(execFile);

/** Where a reader has handled the first deliveries. */
const [page = ''] = (
  await readFile(join(repository, 'docs/guides/vendor-webhooks.md'), 'utf8')
).split('## When deliveries deviate');

const port = String(await freePort());

/** The environment of a user: npm and Vitest set variables for this repository. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/iu.test(name))),
  PATH: [
    dirname(process.execPath),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.startsWith(repository)),
  ].join(delimiter),
  NODE_OPTIONS: '',
  NO_COLOR: '1',
  PORT: port,
};

/** Runs a line of the guide in a shell, and returns what it prints. Other lines of the guide fail after a refusal. */
async function run(folder: string, line: string): Promise<string> {
  const adapted = line.replace('127.0.0.1:3000', `127.0.0.1:${port}`);
  const { stdout } = await execute('bash', ['-c', adapted], {
    cwd: folder,
    env: environment,
    maxBuffer: 1 << 26,
  }).catch((error: unknown) => {
    const failed = error as { readonly stdout?: string; readonly code?: number };
    if (failed.code === 1 && failed.stdout?.includes('\nanswered  401 ') === true)
      return { stdout: failed.stdout };
    throw error;
  });
  return stdout.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:3000');
}

interface Running {
  readonly printed: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts the application, which ends with the test at the latest, and waits until it listens. */
async function start(folder: string, line: string): Promise<Running> {
  const program = spawn('bash', ['-c', `exec env ${line}`], { cwd: folder, env: environment });
  const exited = once(program, 'exit');
  onTestFinished(() => void program.kill());
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  await vi.waitFor(() => expect(printed).toBe('listening\n'), { timeout: 60_000, interval: 50 });
  const stop = async (): Promise<void> => {
    program.kill();
    await exited;
  };
  return { printed: () => printed, stop };
}

test('the guide works word for word, from an empty folder to the first deliveries', async () => {
  const parent = await temporaryFolder();
  const folder = join(parent, 'empty');
  await mkdir(folder);
  await buildAll();
  await packToolkit(join(parent, 'countersign/tarballs'));

  let application: { readonly line: string; readonly running: Running } | undefined;
  const left: string[] = [];
  const blocks = page.matchAll(/^```(console|ts|yaml)\n([^]*?)^```$/gmu);
  for (const [, language, text = ''] of blocks) {
    if (language !== 'console') {
      const [, name = ''] = /^(?:\/\/|#) (\S+)\n/u.exec(text) ?? [];
      await writeFile(join(folder, name), text);
      continue;
    }
    for (const [, line = '', output = ''] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gmu)) {
      if (line.includes('example.com')) left.push(line);
      else if (line.endsWith(' node app.ts')) {
        application = { line, running: await start(folder, line) };
        expect(application.running.printed()).toBe(output);
      } else {
        const printed = await run(folder, line);
        if (output !== '') expectShown(printed, output);
      }
    }
  }
  expect(left).toHaveLength(1);
  if (application === undefined) throw new Error('The guide starts no application');
  const { line, running } = application;
  expect(running.printed()).toContain('\nping: Anything added dilutes everything else.\n');
  expect(running.printed()).toContain('\n401 unauthentic signature-mismatch ');
  expect(running.printed()).toContain('\nopened: Spelling error in the README file\n');
  await running.stop();

  // As it is deployed.
  await run(folder, 'npm ci --omit=dev');
  await expect(access(join(folder, 'node_modules/countersign'))).rejects.toThrow('ENOENT');
  await start(folder, line);
}, 600_000);
