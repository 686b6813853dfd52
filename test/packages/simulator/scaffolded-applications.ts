import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runInProcess } from '../../cli/run-in-process.ts';
import { repository } from '../../targets/emit-project.ts';
import { writeAllHandlers } from '../create/scaffold/own-contract.ts';
import {
  freePort,
  type RunningApplication,
  startApplication,
} from '../create/scaffold/start-application.ts';

/** The secrets of a receiver, as its environment has them. */
export const secrets: Readonly<Record<SecretName, string>> = {
  WEBHOOK_SECRET: randomBytes(24).toString('hex'),
  WEBHOOK_PREVIOUS_SECRET: randomBytes(24).toString('hex'),
  WEBHOOK_HEADER_APIKEY: randomBytes(12).toString('hex'),
};

type SecretName = 'WEBHOOK_SECRET' | 'WEBHOOK_PREVIOUS_SECRET' | 'WEBHOOK_HEADER_APIKEY';

/** The address that senders call and sign. */
const publicUrl = 'https://hooks.example.com';

/** Scaffolded applications in one temporary folder, beside all that is installed here. */
export interface ScaffoldedApplications extends AsyncDisposable {
  readonly start: (framework: string) => Promise<RecordingApplication>;
}

/** A call of a handler, as the handler recorded it. */
export interface HandledEvent {
  readonly kind: string;
  /** The kinds that an ambiguous event can be of. */
  readonly kinds?: readonly string[];
  readonly form: string;
  readonly data: unknown;
}

/** A scaffolded application that runs, and records what it handles. */
export interface RecordingApplication {
  readonly url: string;
  /** Ends it; returns what it handled, in order, and everything that it logged. */
  readonly stop: () => Promise<{ readonly handled: readonly HandledEvent[]; readonly log: string }>;
}

/**
 * Scaffolds applications for the contract of this repository, that verify its signature with two keys. Their handlers
 * additionally record each event in a file.
 */
export async function scaffoldApplications(
  frameworks: readonly string[],
): Promise<ScaffoldedApplications> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'countersign-')));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const framework of frameworks) await scaffold(folder, framework);
  let runs = 0;
  return {
    async start(framework) {
      const record = join(folder, `record-${(runs += 1)}.jsonl`);
      await writeFile(record, '');
      const application = await startApplication(join(folder, framework), {
        ...secrets,
        PUBLIC_URL: publicUrl,
        PORT: String(await freePort()),
        RECORD: record,
      });
      return {
        url: application.url,
        stop: async () => await readRecord(application, record),
      };
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }),
  };
}

async function scaffold(folder: string, framework: string): Promise<void> {
  const config = join(repository, 'countersign.config.ts');
  const signature = ['--authenticate', 'signature', '--answer', 'signed-path=path-and-query'];
  const { code, error } = await runInProcess(folder, [
    'scaffold',
    framework,
    framework,
    '--config',
    config,
    ...signature,
  ]);
  expect(code, error).toBe(0);
  await writeAllHandlers(join(folder, framework));
  const source = join(folder, framework, 'src');
  await writeFile(join(source, 'record.ts'), recorder);
  const handlers = join(source, 'handlers');
  for (const name of await readdir(handlers))
    await replace(
      join(handlers, name),
      /\n\}\n$/u,
      "\n  record(event);\n}\n\nimport { record } from '../record.ts';\n",
    );
  // While the key is replaced, the receiver accepts both.
  await replace(
    join(source, 'webhooks.ts'),
    /keys: \[/u,
    "keys: [required('WEBHOOK_PREVIOUS_SECRET'), ",
  );
}

const recorder = `import { appendFileSync } from 'node:fs';

export function record({ kind, kinds, form, data }: any): void {
  appendFileSync(process.env['RECORD'] ?? '', JSON.stringify({ kind, kinds, form, data }) + '\\n');
}
`;

async function replace(path: string, expression: RegExp, replacement: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(expression);
  await writeFile(path, text.replace(expression, replacement));
}

async function readRecord(
  application: RunningApplication,
  path: string,
): Promise<{ readonly handled: readonly HandledEvent[]; readonly log: string }> {
  const log = await application.stop();
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return { handled: lines.map((line) => JSON.parse(line) as HandledEvent), log };
}
