import { createHmac } from 'node:crypto';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../output/temporary-folder.ts';
import { readTree, type Tree, writeTree } from '../output/tree.ts';
import { repository } from '../targets/emit-project.ts';
import { listenForTest } from '../tools/send/listen.ts';
import type { Run } from './project.ts';
import { runInProcess } from './run-in-process.ts';

/** Schemes of every type, as the `security` of a document has them. */
const schemes: Readonly<Record<string, string>> = {
  header: '{ type: apiKey, in: header, name: X-Key }',
  query: '{ type: apiKey, in: query, name: key }',
  cookie: '{ type: apiKey, in: cookie, name: key }',
  basic: '{ type: http, scheme: basic }',
  bearer: '{ type: http, scheme: bearer }',
  oauth2:
    "{ type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://shop.example/token', scopes: {} } } }",
  openIdConnect: "{ type: openIdConnect, openIdConnectUrl: 'https://shop.example/id' }",
  mutualTLS: '{ type: mutualTLS }',
  signature:
    '{ type: apiKey, in: header, name: X-Seal, x-signature: { algorithm: hmac-sha256, key: { credential: sealKey, encoding: utf-8 }, over: [$request.body], encoding: base64 } }',
  bodySignature:
    "{ type: apiKey, in: header, name: none, x-body-signature: { algorithm: hmac-sha256, key: { credential: sealKey, encoding: utf-8 }, over: [/id], separator: '|', encoding: hex, signature: /seal } }",
};

interface Parts {
  readonly root?: string;
  /** The members of the notification. */
  readonly own?: string;
  readonly isCallback?: boolean;
}

/** A document whose calls have the security `root`, and whose only notification, `paid`, has the members `own`. */
function document({ root = '', own = '', isCallback = false }: Parts): string {
  const notification = `post: { ${own}requestBody: { content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string }, seal: { type: string } } }, example: { id: p-1 } } } }, responses: { '200': { description: Received. } } }`;
  return `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
security: [${root}]
paths:
  /orders:
    post:
      operationId: order
      responses: { '204': { description: Ordered. } }
${isCallback ? `      callbacks: { paid: { '{$request.body#/url}': { ${notification} } } }` : `webhooks: { paid: { ${notification} } }`}
components:
  securitySchemes:
${Object.entries(schemes)
  .filter(([id]) => `${root} ${own}`.includes(`{ ${id}: `))
  .map(([id, scheme]) => `    ${id}: ${scheme}\n`)
  .join('')}`;
}

async function init(
  files: Tree,
  ...words: readonly string[]
): Promise<Run & { readonly folder: string; readonly tree: Tree }> {
  const folder = await temporaryFolder();
  await writeTree(folder, files);
  const layout = ['--layout', 'folder', '--framework', 'node', '--yes'];
  const given = ['--contract', ...Object.keys(files)];
  const result = await runInProcess(folder, ['init', ...given, ...layout, ...words]);
  return { ...result, folder, tree: await readTree(folder) };
}

const unstated =
  'countersign: Give --signature: nothing can be proposed for it. The contract does not state how a delivery proves where it comes from. ';

describe('init proposes no proof for a notification without security', () => {
  const roots = Object.keys(schemes).flatMap((id) => [
    { id, isCallback: false },
    { id, isCallback: true },
  ]);
  test.each(roots)('the document has $id, a callback: $isCallback', async ({ id, isCallback }) => {
    const files = { 'openapi.yaml': document({ root: `{ ${id}: [] }`, isCallback }) };
    const { code, out, error, tree } = await init(files);
    expect({ code, out, tree }).toEqual({ code: 2, out: '', tree: files });
    // A signature of calls can be chosen by its name, and nothing else that calls have.
    const ofCalls = id === 'signature' ? 'signature, ' : '';
    expect(error).toContain(`${unstated}There are: shared-secret, ${ofCalls}hmac-hex, `);
  });

  test.each([
    ['that only calls use', '', 'the form is open', 2],
    ['that notifications use', "servers: [{ $ref: '#/servers/api' }], ", 'as stated', 0],
  ])('AsyncAPI has a server %s', async (_, told, __, code) => {
    const files = {
      'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0 }
servers: { api: { host: shop.example, protocol: https, security: [{ $ref: '#/components/securitySchemes/key' }] } }
channels:
  told: { address: /told, ${told}messages: { paid: { payload: { type: object } } } }
  called: { address: /called, servers: [{ $ref: '#/servers/api' }], messages: { order: { payload: { type: object } } } }
operations:
  tell: { action: send, channel: { $ref: '#/channels/told' } }
  call: { action: receive, channel: { $ref: '#/channels/called' } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`,
    };
    const result = await init(files, '--perspective', 'service');
    expect(result.code, result.error).toBe(code);
    const receiver = result.tree['webhooks.ts'];
    if (code === 0) expect(receiver).toContain('authenticate: verifyKey(');
    else expect(receiver).toBeUndefined();
  });
});

describe('what a notification itself has is proposed', () => {
  const header = (name: string, example = ''): string =>
    `{ name: ${name}, in: header, schema: { type: string }${example === '' ? '' : `, example: '${example}'`} }`;
  const digest = '0'.repeat(64);
  const root = '{ bearer: [] }';

  test.each<[string, string, string]>([
    ['security of its own', 'security: [{ header: [] }], ', 'authenticate: verifyHeader('],
    ['an empty list of its own', 'security: [], ', 'authenticate: sharedSecret('],
    [
      'the headers of a standard',
      `parameters: [${['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => header(name)).join(', ')}], `,
      'authenticate: verifyWebhookSignature(',
    ],
    [
      'a header whose example shows its form',
      `parameters: [${header('X-Shop-Signature', `sha256=${digest}`)}], `,
      'authenticate: verifyWebhookSignature(',
    ],
    [
      'a header that is named as a secret',
      `parameters: [${header('X-Shop-Webhook-Token')}], `,
      'authenticate: verifyWebhookSignature(',
    ],
  ])('%s', async (_, own, code) => {
    const { code: exit, error, tree } = await init({ 'openapi.yaml': document({ root, own }) });
    expect(exit, error).toBe(0);
    expect(tree['webhooks.ts']).toContain(code);
    const written = /name: (\S+),/u.exec(own)?.[1];
    const overlay = tree['overlays/openapi.yaml'] ?? '';
    if (own.startsWith('security')) expect(overlay).toBe('');
    else if (written === 'webhook-id') expect(overlay).toContain('name: webhook-signature\n');
    else expect(overlay).toContain(`name: ${written ?? ''}\n`);
  });

  test('a header that is named as a signature is named, and its form has to be chosen', async () => {
    const own = `parameters: [${header('X-Shop-Signature')}, ${header('X-Shop-Signature-Algorithm')}], `;
    const files = { 'openapi.yaml': document({ root, own }) };
    const { code, error } = await init(files);
    expect(code).toBe(2);
    expect(error).toContain(
      `${unstated}By its name, X-Shop-Signature can be the proof. There are:`,
    );
    const chosen = await init(files, '--signature', 'hmac-hex');
    expect(chosen.code, chosen.error).toBe(0);
    const { actions } = parse(chosen.tree['overlays/openapi.yaml'] ?? '') as { actions: object[] };
    expect(actions).toMatchObject([
      {
        update: {
          components: { securitySchemes: { webhookSignature: { name: 'X-Shop-Signature' } } },
        },
      },
      { target: '$.webhooks.paid.post', update: { security: [{ webhookSignature: [] }] } },
    ]);
  });
});

describe('a delivery as the service sends it, without what calls carry', () => {
  const own = 'parameters: [{ name: X-Shop-Signature, in: header, schema: { type: string } }], ';

  test.each(['header', 'bearer', 'openIdConnect', 'mutualTLS'])(
    'is accepted after the choice, where the document has %s',
    async (id) => {
      const files = { 'openapi.yaml': document({ root: `{ ${id}: [] }`, own }) };
      const { code, error, folder } = await init(files, '--signature', 'hmac-hex');
      expect(code, error).toBe(0);
      const key = 'the key of the shop';
      process.env['WEBHOOK_SECRET'] = key;
      await linkRuntime(folder);
      const path = join(folder, 'generated/webhooks-node/index.ts');
      const { createWebhooksListener, verifyWebhookSignature } = (await import(
        pathToFileURL(path).href
      )) as {
        createWebhooksListener: (options: object) => Parameters<typeof listenForTest>[0];
        verifyWebhookSignature: (options: object) => unknown;
      };
      expect(await readFile(join(folder, 'webhooks.ts'), 'utf8')).toContain(
        "verifyWebhookSignature({ keys: [process.env['WEBHOOK_SECRET'] ?? ''] })",
      );
      const handled: unknown[] = [];
      const url = await listenForTest(
        createWebhooksListener({
          authenticate: verifyWebhookSignature({ keys: [key] }),
          on: { paid: ({ data }: { readonly data: unknown }) => void handled.push(data) },
          otherwise: () => undefined,
          onInvalid: () => undefined,
        }),
      );
      const body = '{"id":"p-7"}';
      const deliver = async (headers: Record<string, string>): Promise<number> =>
        (
          await fetch(url, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json', ...headers },
          })
        ).status;
      const signed = createHmac('sha256', key).update(body).digest('hex');
      expect(await deliver({ 'X-Shop-Signature': signed })).toBe(200);
      expect(handled).toEqual([{ id: 'p-7' }]);
      // What calls carry proves nothing.
      const ofCalls = { 'x-key': key, authorization: `Bearer ${key}` };
      expect(await deliver(ofCalls)).toBe(401);
      expect(await deliver({})).toBe(401);
      expect(handled).toHaveLength(1);
    },
  );
});

describe('nothing invents a proof that makes a test pass', () => {
  test.each(Object.keys(schemes))(
    '`send` and `simulate` add nothing to a delivery where the document has %s',
    async (id) => {
      const received: Record<string, unknown>[] = [];
      const url = await listenForTest((request, response) => {
        received.push({ ...request.headers, url: request.url });
        response.end();
      });
      const folder = await temporaryFolder();
      await writeTree(folder, {
        'openapi.yaml': document({ root: `{ ${id}: [] }` }),
        'countersign.config.json':
          '{"contract":{"openapi":"openapi.yaml"},"output":"out","scope":"@shop","targets":["contract"]}',
      });
      const environment = { WEBHOOK_SECRET: 'the key of the shop' };
      const sent = await runInProcess(folder, ['send', 'paid', '--to', url], environment);
      expect(sent.code, sent.error).toBe(0);
      const simulated = await runInProcess(
        folder,
        ['simulate', '--to', url, '--deliveries', '1', '--no-console'],
        environment,
      );
      expect(simulated.code, simulated.error).toBe(0);
      expect(received).toHaveLength(2);
      for (const headers of received) {
        expect(
          Object.keys(headers).filter((name) => /^(?:x-|authorization|cookie)/u.test(name)),
        ).toEqual([]);
        expect(headers['url']).not.toContain('key');
      }
    },
  );
});

describe('parameters of the query and cookies that a notification declares', () => {
  const declares = (place: string, name: string): Tree => ({
    'openapi.yaml': document({
      own: `parameters: [{ name: ${name}, in: ${place}, schema: { type: string } }], `,
    }),
  });

  test.each([
    ['query', 'secret'],
    ['cookie', 'webhookToken'],
  ])('%s: a secret is proposed, sent and verified', async (place, name) => {
    const { code, error, out, folder, tree } = await init(declares(place, name));
    expect(code, error).toBe(0);
    expect(out).toContain(` ${name} has a secret. `);
    expect(parse(tree['overlays/openapi.yaml'] ?? '')).toMatchObject({
      actions: [
        {
          update: {
            components: { securitySchemes: { webhookSignature: { in: place, name } } },
          },
        },
        {},
      ],
    });
    const { url, handled } = await receive(folder, ['paid'], 'verifyWebhookSignature', [
      'a secret of the shop',
    ]);
    const send = async (secret: string): Promise<Run> =>
      await runInProcess(folder, ['send', 'paid', '--to', url], { WEBHOOK_SECRET: secret });
    expect((await send('a secret of the shop')).code).toBe(0);
    expect((await send('another secret')).code).toBe(1);
    expect(handled).toEqual(['paid']);
  });

  test.each(['query', 'cookie'])(
    '%s: a signature is named, and cannot be chosen',
    async (place) => {
      const files = declares(place, 'sig');
      const words = place === 'query' ? 'the query' : 'a cookie';
      expect((await init(files)).error).toContain(
        `${unstated}By its name, sig in ${words} can be the proof. There are:`,
      );
      const chosen = ['--signature', 'hmac-hex', '--signature-header', `${place}:sig`];
      expect(await init(files, ...chosen)).toMatchObject({
        code: 2,
        error: expect.stringContaining('Receivers find a signature in a header'),
        tree: files,
      });
      // The header of the form is proposed, and not a name in another place.
      const { tree } = await init(files, '--signature', 'hmac-hex');
      expect(tree['overlays/openapi.yaml']).toContain('name: x-signature\n');
    },
  );

  test('the place of a proof has to have a name', async () => {
    const answer = ['--signature', 'secret', '--signature-header', 'query:'];
    const { code, error } = await init(declares('query', 'secret'), ...answer);
    expect({ code, error }).toMatchObject({
      code: 2,
      error: expect.stringContaining('or query:<name> or cookie:<name>'),
    });
  });
});

/** Lets generated code find the runtime, as after an installation. */
async function linkRuntime(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  const packages = 'node_modules/@countersign';
  await symlink(join(repository, packages), join(folder, packages), 'junction');
}

/** Starts the generated receiver. */
async function receive(
  folder: string,
  kinds: readonly string[],
  verify: string,
  parameters: readonly unknown[],
): Promise<{ readonly url: string; readonly handled: readonly string[] }> {
  await linkRuntime(folder);
  const path = join(folder, 'generated/webhooks-node/index.ts');
  const { createWebhooksListener, ...generated } = (await import(
    pathToFileURL(path).href
  )) as Record<string, (...parameters: readonly unknown[]) => unknown>;
  const handled: string[] = [];
  const listener = createWebhooksListener?.({
    authenticate: generated[verify]?.(...parameters),
    on: Object.fromEntries(kinds.map((kind) => [kind, () => void handled.push(kind)])),
    otherwise: () => undefined,
    onInvalid: () => undefined,
  });
  const url = await listenForTest(listener as Parameters<typeof listenForTest>[0]);
  return { url, handled };
}

describe('a contract that states a proof of some notifications', () => {
  /** A second notification beside `paid`, whose type distinguishes it. */
  const partly = (paid: string, sent: string): string => {
    const text = document({ own: paid });
    const withType = (type: string): string =>
      text
        .replace(/^webhooks: \{ (.*) \}$/mu, '$1')
        .split('\n')
        .filter((line) => line.startsWith('paid: '))
        .join('')
        .replace(
          'required: [id], properties: {',
          `required: [id, type], properties: { type: { const: ${type} },`,
        )
        .replace('example: { id: p-1 }', `example: { id: p-1, type: ${type} }`);
    const other = withType('sent')
      .replace('paid: { post: { ', 'sent: { post: { ')
      .replace(paid, sent);
    const used = Object.entries(schemes).filter(
      ([id]) => sent.includes(`{ ${id}: `) && !paid.includes(`{ ${id}: `),
    );
    return text
      .replace(/^webhooks: .*$/mu, `webhooks:\n  ${withType('paid')}\n  ${other}`)
      .concat(used.map(([id, scheme]) => `    ${id}: ${scheme}\n`).join(''));
  };
  const all = 'security: [{ signature: [] }], ';
  const others =
    'The contract does not require signature of sent: here, such a delivery gets 401 without it.';

  test.each([
    {
      sent: all,
      says: 'Every delivery carries the signature',
      reports: '',
      codes: [0, 0],
    },
    { sent: '', says: others, reports: '1 note (unstated-authentication', codes: [0, 1] },
    {
      sent: 'security: [], ',
      says: others,
      reports: 'warning[differing-authentication]',
      codes: [0, 1],
    },
    {
      sent: 'security: [{ cookie: [] }], ',
      says: others,
      reports: 'warning[differing-authentication]',
      codes: [0, 1],
    },
    {
      sent: 'security: [{ oauth2: [] }], ',
      says: others,
      reports: 'warning[unready-authentication]',
      codes: [0, 1],
    },
  ])('a signature, and beside it "$sent"', async ({ sent, says, reports, codes }) => {
    const { code, out, error, folder, tree } = await init({ 'openapi.yaml': partly(all, sent) });
    expect(code, error).toBe(0);
    expect(out).toContain(says);
    expect(`${out}${error}`).toContain(reports);
    expect(tree['webhooks.ts']).toContain('authenticate: verifySignature(');
    const key = 'the key of the shop';
    const { url, handled } = await receive(folder, ['paid', 'sent'], 'verifySignature', [
      { keys: [key] },
    ]);
    const send = async (kind: string): Promise<number | null> => {
      const result = await runInProcess(folder, ['send', kind, '--to', url], {
        WEBHOOK_SECRET: key,
      });
      return result.code;
    };
    // `send` adds what the contract states of each kind, and nothing that it does not state.
    expect([await send('paid'), await send('sent')]).toEqual(codes);
    expect(handled).toEqual(sent === all ? ['paid', 'sent'] : ['paid']);
  });

  test.each([
    { sent: '', words: [], proof: [], notes: true },
    { sent: 'security: [], ', words: [], proof: [], notes: false },
    { sent: 'security: [{ cookie: [] }], ', words: [], proof: ['cookie'], notes: false },
    // Nothing stands for a token that somebody else issues: the delivery is not sent.
    { sent: 'security: [{ oauth2: [] }], ', words: [], proof: undefined, notes: false },
    // What the user chooses is a proof of every delivery.
    { sent: '', words: ['--signature', 'signature'], proof: ['x-seal'], notes: false },
    { sent: '', words: ['--header-env', 'X-Pass=PASS'], proof: ['x-pass'], notes: false },
  ])('`simulate` with $words adds $proof beside "$sent"', async ({ sent, words, proof, notes }) => {
    const received: (readonly [body: string, headers: IncomingHttpHeaders])[] = [];
    const url = await listenForTest((request, response) => {
      void text(request).then((body) => {
        received.push([body, request.headers]);
        response.end();
      });
    });
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'openapi.yaml': partly(all, sent),
      'countersign.config.json':
        '{"contract":{"openapi":"openapi.yaml"},"output":"out","scope":"@shop","targets":["contract"]}',
    });
    const key = 'the key of the shop';
    const { code, out, error } = await runInProcess(
      folder,
      ['simulate', '--to', url, '--deliveries', '12', '--no-console', ...words],
      { WEBHOOK_SECRET: key, PASS: 'a' },
    );
    const proofs = (type: string): ReadonlySet<string> =>
      new Set(
        received
          .filter(([body]) => (JSON.parse(body) as { type: string }).type === type)
          .map(([, headers]) =>
            Object.keys(headers)
              .filter((name) => /^(?:x-|authorization|cookie)/u.test(name))
              .join(),
          ),
      );
    const isSent = proof !== undefined;
    expect(code, error).toBe(isSent ? 0 : 1);
    expect(proofs('sent')).toEqual(new Set(isSent ? [proof.join()] : []));
    expect(proofs('paid').size).toBe(1);
    for (const [body, headers] of received.filter(([, { 'x-seal': seal }]) => seal !== undefined))
      expect(headers['x-seal']).toBe(createHmac('sha256', key).update(body).digest('base64'));
    if (!isSent)
      expect(error).toMatch(/could not be sent: The contract authenticates sent in a way/u);
    const note = 'Sent without a proof, because the contract states none for them: sent.';
    expect(out.includes(note)).toBe(notes);
  });

  test('nothing but an empty list and no security: the proof has to be chosen', async () => {
    const files = { 'openapi.yaml': partly('security: [], ', '') };
    expect(await init(files)).toMatchObject({ code: 2, error: expect.stringContaining(unstated) });
  });

  test.each([
    [
      'oauth2',
      'The contract states oauth2 for deliveries, an access token of OAuth 2.0: generated code has no function for it.',
    ],
    ['', 'The contract states that deliveries need no proof.'],
  ])('"stated" is no answer where there is nothing to take: %s', async (id, sentence) => {
    const own = `security: [${id === '' ? '' : `{ ${id}: [] }`}], `;
    const { code, error } = await init(
      { 'openapi.yaml': document({ own }) },
      '--signature',
      'stated',
    );
    expect({ code, error }).toMatchObject({ code: 2, error: expect.stringContaining(sentence) });
  });
});
