import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestInbox, type TestInbox } from '../packages/inbox/stored-events.ts';
import { runInProcess } from './run-in-process.ts';
import { writeTree } from '../output/tree.ts';

/** Every text with this beginning is a secret, or personal data of a stored delivery. */
const mark = 'hush-';

/** What a developer has in the environment. */
const environment = {
  WEBHOOK_SECRET: `${mark}key`,
  WEBHOOK_HEADER_X_SENDER: `${mark}header`,
  API_SHOP_API_KEY: `${mark}api-key`,
  TOKEN: `Bearer ${mark}token`,
  PATH_SECRET: `${mark}path`,
  DATABASE_URL: `postgres://shop:${mark}database@127.0.0.1:9/shop`,
  NPM_TOKEN: `${mark}npm`,
  AWS_SECRET_ACCESS_KEY: `${mark}aws`,
};

const openapi = (unit: string): string => `openapi: 3.1.1
info:
  title: Shop
  version: 1.0.0
  x-unstated:
    unit: { source: '1', question: Which unit?, choices: { m: Metres., k: Knots. } }
servers: [{ url: 'http://127.0.0.1:9' }]
paths:
  /orders:
    get:
      operationId: listOrders
      security: [{ apiKey: [] }]
      responses: { '200': { description: Done. } }
webhooks:
  paid:
    post:
      security: [{ seal: [] }]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [id]
              properties: { id: { type: string, description: ${unit} } }
            examples: { one: { value: { id: '1' } } }
      responses: { '200': { description: Done. } }
components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: x-api-key }
    seal:
      type: apiKey
      in: header
      name: x-seal
      x-signature:
        algorithm: hmac-sha256
        key: { credential: secret, encoding: utf-8 }
        over: [$request.header.x-sender, $request.body]
        encoding: hex
`;

let inbox: TestInbox;
let address = '';
/** A sender that shows everything that it gets: in the status, in headers, in the body, and in the address of a redirect. */
const echo = createServer((request, response) => {
  const shown = Object.values(request.headers)
    .join(' ')
    .replaceAll(/[\r\n]/gu, '');
  if (request.url?.startsWith('/cut') === true) {
    request.socket.destroy();
    return;
  }
  if (request.url?.startsWith('/away') === true)
    response.writeHead(302, { location: `${address}/?token=${encodeURIComponent(shown)}` });
  else response.writeHead(401, shown, { 'www-authenticate': shown, 'retry-after': shown });
  request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    echo.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  inbox = await createTestInbox();
  const body = Buffer.from(`{"id":"${mark}person"}`);
  for (const receipt of ['a', 'b', 'c', 'd'])
    await inbox.receive(receipt, { kind: 'paid', identity: receipt }, body);
  await inbox.work({ a: 'done', b: 'dead', c: 'rejected', d: 'retry' });
  await mkdir(join(inbox.folder, 'node_modules'));
  await writeTree(inbox.folder, {
    'countersign.config.json': JSON.stringify({
      contract: { openapi: 'openapi.yaml' },
      scope: '@shop',
      output: 'generated',
      targets: ['contract', 'client', 'webhooks', 'webhooks-node', 'simulator', 'reference'],
    }),
    'openapi.yaml': openapi('Metres.'),
    'base.yaml': openapi('Knots.'),
  });
});
afterAll(async () => {
  await inbox[Symbol.asyncDispose]();
  echo.closeAllConnections();
  await new Promise((resolve) => {
    echo.close(resolve);
  });
});

const sender = ['--header-env', 'x-sender=WEBHOOK_HEADER_X_SENDER'];
const sending = ['send', 'paid', ...sender];
const simulating = [
  'simulate',
  ...'--port 0 --no-console --deliveries 1 --retry attempts=1'.split(' '),
  ...sender,
];
const pulling = ['--allow-private', '--to', 'pulled'];
const store = ['--store', 'inbox.db'];

/** Commands that have or get a secret, those that fail included: `AT` is the address of the sender. */
const commands: readonly string[] = [
  'generate',
  'unstated',
  'lint',
  'explain',
  'explain security',
  'explain paid',
  'diff base.yaml openapi.yaml',
  'diff base.yaml openapi.yaml --markdown',
  'settle unit=m --dry-run',
  'settle unit=nothing',
  'scaffold node app --authenticate seal',
  ...[
    'AT/',
    'AT/away',
    'AT/cut',
    'http://127.0.0.1:9/',
    'AT/?key=a',
    `http://u:${mark}p@a.test`,
  ].map((to) => [...sending, '--to', to].join(' ')),
  `${sending.join(' ')} --to AT/ --header-env authorization=TOKEN --path-secret-env PATH_SECRET`,
  `${sending.join(' ')} --to AT/ --key-env MISSING`,
  `${sending.join(' ')} --to AT/ --key-env ${mark}key`,
  `send paid --to AT/ --header-env x-sender`,
  `${simulating.join(' ')} --to AT/ --journal journal.db`,
  `${simulating.join(' ')} --to AT/away --path-secret-env PATH_SECRET`,
  `${simulating.join(' ')} --to http://127.0.0.1:9/`,
  ...['AT/openapi.yaml', 'AT/away', 'AT/cut', 'http://127.0.0.1:9/a'].map((from) =>
    ['pull', from, ...pulling, '--header-env', 'authorization=TOKEN'].join(' '),
  ),
  `pull AT/a --header-env authorization=${mark}token ${pulling.join(' ')}`,
  `pull http://user:${mark}p@127.0.0.1:9/a ${pulling.join(' ')}`,
  `pull http://user:${mark}p@127.0.0.1:9/a?access_token=${mark}t ${pulling.join(' ')}`,
  ...[
    'stats',
    'list --all',
    'export --all',
    'audit',
    'show b-0',
    'show c-0',
    'retry b-0',
    'discard c-0',
  ].map((action) => ['inbox', action, ...store].join(' ')),
  'inbox list --store env:DATABASE_URL',
  'inbox list --store env:NPM_TOKEN',
  `inbox list --store env:${mark}npm`,
];

test.each(commands)('no secret is in what this writes: %s', async (line) => {
  const { folder } = inbox;
  const before = await sizesOf(folder);
  for (const flag of ['--json', '--verbose']) {
    const parameters = line.split(' ').map((word) => word.replace(/^AT(?=\/)/u, address));
    const { code, out, error } = await runInProcess(folder, [...parameters, flag], environment);
    expect([0, 1, 2], error).toContain(code);
    expect(out + error).not.toBe('');
    expect(shownIn(out + error)).toEqual([]);
    for (const [file, size] of await sizesOf(folder)) {
      // Nothing else in the folder has stored deliveries.
      if (before.get(file) === size || file.startsWith('inbox.db')) continue;
      expect([file, ...shownIn(await readFile(join(folder, file), 'latin1'))]).toEqual([file]);
    }
    await rm(join(folder, 'app'), { recursive: true, force: true });
  }
});

test('what a sender shows of secrets is replaced', async () => {
  const parameters = [...sending, '--to', `${address}/`];
  const { code, out } = await runInProcess(inbox.folder, parameters, environment);
  expect(code).toBe(1);
  expect(out.match(/\[redacted\]/gu)?.length).toBeGreaterThan(4);
});

test('what is asked for is shown', async () => {
  const { out } = await runInProcess(inbox.folder, ['inbox', 'show', 'a-0', '--reveal', ...store]);
  expect(shownIn(out)).not.toEqual([]);
});

/** Returns the secrets that a text has, as they are or encoded. */
function shownIn(text: string): readonly string[] {
  const secrets = Object.values(environment).map((value) =>
    value.replace(/^\S*:(?=hush)|@.*$|^Bearer /gu, ''),
  );
  return [...secrets, `${mark}person`, `${mark}p`].filter((secret) =>
    [secret, Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('hex')].some(
      (form) => text.includes(form),
    ),
  );
}

async function sizesOf(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(folder, { recursive: true });
  const sizes = new Map<string, number>();
  for (const name of names.filter((path) => !path.startsWith('node_modules/.cache'))) {
    const status = await stat(join(folder, name));
    if (status.isFile()) sizes.set(name, status.size);
  }
  return sizes;
}
