import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const runtime = join(import.meta.dirname, '../../../../packages/runtime/inbox');

/** Runs a program beside an example of the README, in an empty folder. Returns what it prints. */
async function runExample(example: string, program?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    await mkdir(join(folder, 'node_modules/@countersign'), { recursive: true });
    await symlink(join(runtime, '..'), join(folder, 'node_modules/@countersign/runtime'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'example.ts'), example);
    if (program !== undefined) await writeFile(join(folder, 'program.ts'), program);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=countersign-source', program === undefined ? 'example.ts' : 'program.ts'],
      { cwd: folder },
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the example in the package's README runs", async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  if (example === undefined) throw new Error('the README shows no example');
  expect(await runExample(example)).toBe('stored\nduplicate\n1 0\n');
});

/** Handles an event for each response of the bank, and prints its state. */
const pay = `
import { createWorker } from '@countersign/runtime/inbox';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { pay } from './example.ts';
globalThis.fetch = async (_, { headers }) =>
  new Response(null, { status: Number(headers['idempotency-key'].split('-')[0]) });
const store = sqliteStore('inbox.db');
for (const id of ['200', '404', '409', '503'])
  await store.receive({
    id, receivedAt: Date.now(), method: 'POST', target: '/', headers: [],
    body: new Uint8Array(), events: [{}],
  });
const worker = createWorker({ store, handle: pay });
for (;;) {
  const { ready, working } = (await store.stats()).byState;
  if (ready + working === 0) break;
  await new Promise((resolve) => setTimeout(resolve, 10));
}
await worker.close();
for (const { id, state, error } of (await store.list()).events) console.log(id, state, error);
await store.close();
`;

test('the example "decisions" of the README decides', async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const [, after = ''] = readme.split('```ts\n// decisions\n');
  expect(await runExample(after.split('```', 1).join(''), pay)).toBe(
    [
      '200-0 done undefined',
      '404-0 dead The bank does not know the account',
      '409-0 done undefined',
      '503-0 retry The bank is closed\n',
    ].join('\n'),
  );
});

/** Handles an event with the limits of the example, and prints when it is tried again. */
const limit = `
import { createWorker } from '@countersign/runtime/inbox';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { kinds } from './example.ts';
// At this time, the event is not due again before the worker is closed.
const clock = () => 5000;
const store = sqliteStore('inbox.db', { clock });
await store.receive({
  id: 'r', receivedAt: clock(), method: 'POST', target: '/', headers: [],
  body: new Uint8Array(), events: [{ kind: 'paymentSettled' }],
});
const failed = Promise.withResolvers();
const worker = createWorker({
  store, kinds, clock, random: () => 1,
  handle: () => { throw new Error() },
  onEvent: failed.resolve,
});
await failed.promise;
await worker.close();
const { events: [event] } = await store.list();
console.log(event.state, event.retryAt);
await store.close();
`;

test('the example "kinds" of the README has the options of a worker', async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const [, after = ''] = readme.split('```ts\n// kinds\n');
  const output = await runExample(after.split('```', 1).join(''), limit);
  expect(output).toBe('retry 13000\n');
});

/** Serves the probes of a receiver, and prints the answers to both requests. */
const probe = `
import { createInbox, createProbes } from '@countersign/runtime/inbox';
import { sqliteStore } from '@countersign/runtime/inbox/sqlite';
import { once } from 'node:events';
import * as example from './example.ts';
const inbox = createInbox({ store: sqliteStore('inbox.db') });
const server = example.serveProbes?.(createProbes(inbox), 0);
if (server !== undefined) await once(server, 'listening');
const get = async (path) => await (server === undefined
  ? example.probesOf(inbox)(new Request('http://127.0.0.1' + path))
  : fetch('http://127.0.0.1:' + server.address().port + path));
for (const path of ['/live', '/ready']) {
  const response = await get(path);
  console.log(response.status, response.headers.get('cache-control'), await response.text());
}
process.exit(0);
`;

test.each(['probes', 'probes-node'])('the example "%s" of the README answers', async (name) => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const [, after = ''] = readme.split(`\`\`\`ts\n// ${name}\n`);
  expect(await runExample(after.split('```', 1).join(''), probe)).toBe(
    [
      '200 no-store {"live":true}',
      '200 no-store {"ready":true,"backlog":0,"oldestAgeMs":null,"blockedKeys":0,"deadLetters":0,"lastFailure":null}\n',
    ].join('\n'),
  );
});

test('the README names every code', async () => {
  const readme = await readFile(join(runtime, 'README.md'), 'utf8');
  const source = await readFile(join(runtime, 'errors.ts'), 'utf8');
  const codes = [...source.matchAll(/\| '([a-z-]+)'/g)].map(([, code]) => code ?? '');
  expect(codes.length).toBeGreaterThan(5);
  for (const code of codes) expect(readme).toContain(`| \`${code}\` `);
});
