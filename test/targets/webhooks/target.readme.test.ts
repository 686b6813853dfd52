import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../output/temporary-folder.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Authentication } from '../../../packages/runtime/webhooks/receiver.ts';
import type { Signer } from '../../../packages/runtime/signing/index.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { readAnswered } from '../../spec/answered-contract.ts';
import { emitFiles } from '../emit-project.ts';
import {
  importWebhooks,
  type ImportedWebhooks,
} from '../../packages/runtime/webhooks/generated-webhooks.ts';

let imported: ImportedWebhooks;

beforeAll(async () => {
  imported = await importWebhooks();
});
afterAll(() => imported[Symbol.asyncDispose]());

test('the example of the README receives what its example of a test delivers, and so does its server', async () => {
  const [use = '', server = '', tests = ''] = await examples();
  const program = [
    'const listening = Promise.withResolvers<Server>();',
    use,
    server.replace('.listen(3000)', ".listen(0, '127.0.0.1', onListening)"),
    tests,
    'import type { Server } from "node:http";',
    'function onListening(this: Server): void { listening.resolve(this); }',
    'export const server: Server = await listening.promise;',
    'export { response };',
  ].join('\n');
  const file = join(imported.project, 'readme.ts');
  await writeFile(file, program);
  process.env['WEBHOOK_SECRET'] = 'secret';
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const module = (await import(pathToFileURL(file).href)) as {
    default: { fetch(request: Request): Promise<Response> };
    response: Response;
    server: Server;
  };
  try {
    expect(module.response.status).toBe(200);
    expect(log.mock.calls[0]?.[0]).toBe('customer');
    const address = module.server.address() as AddressInfo;
    const delivery = await imported.testing.deliver('charge', {
      url: `http://127.0.0.1:${address.port}/hooks`,
      headers: { 'x-webhook-secret': 'secret' },
    });
    expect((await fetch(delivery)).status).toBe(200);
    expect(log.mock.calls.map(([, second]) => second as unknown)).toContain('charge');
    const wrong = await imported.testing.deliver('charge', {
      headers: { 'x-webhook-secret': 'another' },
    });
    expect((await module.default.fetch(wrong)).status).toBe(401);
  } finally {
    log.mockRestore();
    module.server.closeAllConnections();
    module.server.close();
    delete process.env['WEBHOOK_SECRET'];
  }
});

test('the example of an inbox stores a delivery, and handles it in its worker', async () => {
  const [, , , , inbox = ''] = await examples();
  const folder = await temporaryFolder();
  const file = join(imported.project, 'inbox.ts');
  await writeFile(file, inbox.replace('inbox.db', join(folder, 'inbox.db')));
  process.env['WEBHOOK_SECRET'] = 'secret';
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const { webhooks, worker } = (await import(pathToFileURL(file).href)) as {
    webhooks: { fetch(request: Request): Promise<Response> };
    worker: { close(): Promise<void> };
  };
  try {
    const headers = { 'x-webhook-secret': 'secret' };
    const delivery = await imported.testing.deliver('charge', { headers });
    expect((await webhooks.fetch(delivery)).status).toBe(200);
    await expect
      .poll(() => log.mock.calls)
      .toEqual([['charge', expect.stringMatching(/^\S+$/u), 1]]);
    const wrong = await imported.testing.deliver('charge');
    expect((await webhooks.fetch(wrong)).status).toBe(401);
  } finally {
    log.mockRestore();
    await worker.close();
    delete process.env['WEBHOOK_SECRET'];
  }
});

test('the example of a rotation runs before and after it, with one secret', async () => {
  const [, , , rotation = ''] = await examples();
  const file = join(imported.project, 'no-rotation.ts');
  await writeFile(file, rotation);
  vi.stubEnv('WEBHOOK_SECRET', 'only');
  vi.stubEnv('WEBHOOK_HEADER_APIKEY', 'a');
  try {
    const { bySecret } = (await import(pathToFileURL(file).href)) as { bySecret: Authentication };
    const webhooks = imported.main.createWebhooks({
      authenticate: bySecret,
      on: {},
      otherwise: { rest: vi.fn() },
      onInvalid: vi.fn(),
    });
    const headers = { 'x-webhook-secret': 'only' };
    const delivery = await imported.testing.deliver('charge', { headers });
    expect((await webhooks.fetch(delivery)).status).toBe(200);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the example of a rotation accepts the old secret and the new one', async () => {
  const [, , , rotation = ''] = await examples();
  const file = join(imported.project, 'rotation.ts');
  await writeFile(file, rotation);
  for (const [name, value] of [
    ['WEBHOOK_SECRET', 'new'],
    ['WEBHOOK_SECRET_OLD', 'old'],
    ['WEBHOOK_HEADER_APIKEY', 'a'],
  ] as const)
    vi.stubEnv(name, value);
  try {
    const { bySecret, bySignature, signer } = (await import(pathToFileURL(file).href)) as {
      bySecret: Authentication;
      bySignature: Authentication;
      signer: Signer;
    };
    const answer = async (
      authenticate: Authentication,
      delivery: { headers: Readonly<Record<string, string>>; signer?: Signer },
    ): Promise<number> => {
      const webhooks = imported.main.createWebhooks({
        authenticate,
        on: {},
        otherwise: { rest: vi.fn() },
        onInvalid: vi.fn(),
      });
      return (await webhooks.fetch(await imported.testing.deliver('charge', delivery))).status;
    };
    for (const secret of ['new', 'old'])
      expect(await answer(bySecret, { headers: { 'x-webhook-secret': secret } })).toBe(200);
    expect(await answer(bySecret, { headers: { 'x-webhook-secret': 'other' } })).toBe(401);
    const headers = { apikey: 'a' };
    const old = imported.testing.createSignatureSigner({ key: 'old' });
    const other = imported.testing.createSignatureSigner({ key: 'other' });
    expect(await answer(bySignature, { headers, signer })).toBe(200);
    expect(await answer(bySignature, { headers, signer: old })).toBe(200);
    expect(await answer(bySignature, { headers, signer: other })).toBe(401);
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the README names the examples that reach the handler of a union', async () => {
  const readme = await readFile(join(imported.folder, 'README.md'), 'utf8');
  const listed = Array.from(
    readme.matchAll(
      /^- `(\w+)` is also the handler of these examples, with their label: (.+)\.$/gmu,
    ),
    ([, union = '', names = '']) =>
      Array.from(
        names.matchAll(/`([\w-]+)` of `(\w+)`/gu),
        ([, example = '', kind = '']) => `${union}: ${kind} ${example}`,
      ),
  );
  const reached: string[] = [];
  const rest = vi.fn();
  const webhooks = imported.main.createWebhooks({
    authenticate: imported.main.unauthenticated(),
    on: {},
    otherwise: { rest },
    onInvalid: vi.fn(),
  });
  for (const { kind, example } of imported.testing.examples) {
    await webhooks.fetch(await imported.testing.deliver(kind, { example }));
    const [event] = (rest.mock.lastCall ?? []) as readonly { kind?: string; ambiguous?: boolean }[];
    if (event?.ambiguous === true) reached.push(`${event.kind}: ${kind} ${example}`);
    rest.mockClear();
  }
  expect(reached).not.toEqual([]);
  expect(listed.flat()).toEqual(reached);
});

test('a README about a settled contract calls nothing open that is settled', async () => {
  const settled = {
    'delivery-identity': 'status-of-subject',
    'key-rotation': 'Both work for a day.',
    'webhook-response': '200.',
    'cashout-denial-status': 'other',
    'cashout-status-list': 'None.',
    'label-in-url': 'appended',
  };
  const { contract } = await readAnswered(settled);
  if (contract === undefined) throw new Error('no contract');
  const files = await emitFiles(webhooksTarget, contract);
  const readme = [...files].find(([path]) => path.endsWith('README.md'))?.[1] ?? '';
  const open = readme.slice(0, readme.indexOf('## What open questions decide'));
  // Answers name their entries: those in words in a list, the others in notes.
  const quotes = Object.entries(settled).map(([id, answer]) => `- ${answer} (\`${id}\`)`);
  const lines = open
    .split('\n')
    .filter((line) => !quotes.includes(line) && !line.includes('Stated by the operator'));
  for (const id of Object.keys(settled)) expect(lines.join('\n')).not.toContain(`\`${id}\``);
  expect(open).toContain('Give several processes');
  expect(open).not.toContain('another `eventId`');
});

/** Returns the examples of the README. */
async function examples(): Promise<readonly string[]> {
  const readme = await readFile(join(imported.folder, 'README.md'), 'utf8');
  return Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
}

test('the README lists what the receiver refuses while a question is open, and how', async () => {
  const readme = await readFile(join(imported.folder, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## What open questions decide'));
  const groups = section
    .split(/\n(?=- )/u)
    .slice(1)
    .map((group) => ({
      step: group.slice(2, group.indexOf(':')),
      ids: Array.from(
        group.slice(group.lastIndexOf('. ')).matchAll(/`([a-z-]+)`/gu),
        ([, id = '']) => id,
      ),
    }));
  const rows = new Map(groups.flatMap(({ step, ids }) => ids.map((id) => [id, step] as const)));
  expect(Object.fromEntries(rows)).toMatchObject({
    'decimal-form': 'Bodies',
    'platform-client-id-name': 'Bodies',
    'cashout-form': 'Bodies',
    'member-presence': 'Bodies',
    'notification-authentication': 'Every delivery',
    'signed-path': 'Signatures',
    'signed-body': 'Signatures',
    'delivery-identity': 'Repetitions',
    'due-date-or-static': 'Kinds',
  });
  const { unstated } = imported.contract;
  expect([...rows.keys()].toSorted()).toEqual(
    unstated
      .filter(
        ({ id, pointer, documentation }) =>
          documentation !== true &&
          (pointer.startsWith('asyncapi#') || /^sign|^timestamp/.test(id)),
      )
      .map(({ id }) => id)
      .toSorted(),
  );
});

test.each([
  ['decimal-form', 'cashoutStageTwo', { Pix: { amount: '19,90' } }],
  ['member-presence', 'charge', { Pix: { txid: null } }],
  ['cashout-form', 'cashoutStageTwo', { Pix: [] }],
])('a delivery that contradicts %s reaches onInvalid and gets 422', async (_, kind, body) => {
  const { createWebhooks, unauthenticated } = imported.main;
  const onInvalid = vi.fn();
  const otherwise = { rest: vi.fn() };
  const webhooks = createWebhooks({
    authenticate: unauthenticated(),
    on: {},
    otherwise,
    onInvalid,
  });
  const validRequest = await imported.testing.deliver(kind);
  expect((await webhooks.fetch(validRequest)).status).toBe(200);
  const delivery = await imported.testing.deliver(kind, { body });
  expect((await webhooks.fetch(delivery)).status).toBe(422);
  expect(onInvalid).toHaveBeenCalledOnce();
});

test('a signature with another signed path gets 401', async () => {
  const { createWebhooks, verifySignature } = imported.main;
  const onInvalid = vi.fn();
  const webhooks = createWebhooks({
    authenticate: verifySignature({ keys: ['key'], headers: { apikey: 'a' } }),
    on: {},
    otherwise: { rest: vi.fn() },
    onInvalid,
  });
  const deliver = async (signedPath: string): Promise<number> => {
    const signer = imported.testing.createSignatureSigner({ key: 'key', signedPath });
    const delivery = await imported.testing.deliver('charge', {
      headers: { apikey: 'a' },
      url: 'http://127.0.0.1/hooks',
      signer,
    });
    return (await webhooks.fetch(delivery)).status;
  };
  expect(await deliver('path')).toBe(200);
  expect(await deliver('whole-url')).toBe(401);
  expect(onInvalid).not.toHaveBeenCalled();
});

test('no sentence repeats the name of a security scheme', async () => {
  const readme = await readFile(join(imported.folder, 'README.md'), 'utf8');
  expect(readme).not.toMatch(/signature signature/i);
  expect(readme).toContain(
    'requests with the signature `signature`, which the contract states for calls; that notifications carry it is an assumption',
  );
});
