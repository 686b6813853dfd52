import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../output/temporary-folder.ts';
import { type Tree, writeTree } from '../../../output/tree.ts';
import { listenForTest } from '../../simulator/send/listen.ts';
import type { Run } from '../../../cli/project.ts';
import { runInProcess } from '../../../cli/run-in-process.ts';
import { init, linkRuntime, receive, schemes, shopDocument } from '../../../cli/shop-contract.ts';

const unstated =
  'countersign: Give --signature: nothing can be proposed for it. The contract does not say how a delivery is authenticated. ';

describe('init proposes no proof for a notification without security', () => {
  const roots = Object.keys(schemes).flatMap((id) => [
    { id, isCallback: false },
    { id, isCallback: true },
  ]);
  test.each(roots)('the document has $id, a callback: $isCallback', async ({ id, isCallback }) => {
    const files = { 'openapi.yaml': shopDocument({ root: `{ ${id}: [] }`, isCallback }) };
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
    const { code: exit, error, tree } = await init({ 'openapi.yaml': shopDocument({ root, own }) });
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
    const files = { 'openapi.yaml': shopDocument({ root, own }) };
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
      const files = { 'openapi.yaml': shopDocument({ root: `{ ${id}: [] }`, own }) };
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
  const documents = [
    ...Object.keys(schemes).map((id) => ({ id, isCallback: false })),
    { id: 'bearer', isCallback: true },
  ];

  test.each(documents)(
    '`generate` reports it, and `send` and `simulate` add nothing, where the document has $id, a callback: $isCallback',
    async ({ id, isCallback }) => {
      const received: Record<string, unknown>[] = [];
      const url = await listenForTest((request, response) => {
        received.push({ ...request.headers, url: request.url });
        response.end();
      });
      const folder = await temporaryFolder();
      await writeTree(folder, {
        'openapi.yaml': shopDocument({ root: `{ ${id}: [] }`, isCallback }),
        'countersign.config.json':
          '{"contract":{"openapi":"openapi.yaml"},"output":"out","scope":"@shop","targets":["contract"]}',
      });
      const generated = await runInProcess(folder, ['generate']);
      expect(generated.code, generated.error).toBe(0);
      expect(generated.error).toContain('warning[unstated-authentication]');
      expect(generated.error).toContain('covers its calls only');
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

  test('a receiver needs a choice, and refuses these deliveries after it', async () => {
    const folder = await temporaryFolder();
    await writeTree(folder, {
      'openapi.yaml': shopDocument({ root: '{ bearer: [] }', isCallback: true }),
      'countersign.config.json':
        '{"contract":{"openapi":"openapi.yaml"},"output":"generated","layout":"folder","importExtension":".ts","targets":["contract","webhooks","webhooks-node"]}',
    });
    const generated = await runInProcess(folder, ['generate']);
    expect(generated.code, generated.error).toBe(0);
    await expect(receive(folder, ['paid'])).rejects.toThrow(/authenticate/u);
    const secret = 'the key of the shop';
    const { url, handled } = await receive(folder, ['paid'], 'sharedSecret', [
      { header: 'x-webhook-secret' },
      secret,
    ]);
    for (const command of [
      ['send', 'paid', '--to', url],
      ['simulate', '--to', url, '--deliveries', '1', '--no-console'],
    ])
      expect((await runInProcess(folder, command, { WEBHOOK_SECRET: secret })).code).toBe(1);
    expect(handled).toEqual([]);
  });
});

describe('a contract that states a proof of its notifications', () => {
  const shared = 'sharedSecret';

  test.each([
    { id: 'header', verify: 'verifyHeader' },
    { id: 'query', verify: 'verifyQuery' },
    { id: 'cookie', verify: 'verifyCookie' },
    { id: 'basic', verify: 'verifyBasic' },
    { id: 'bearer', verify: 'verifyBearer' },
    { id: 'bearer', isCallback: true, verify: 'verifyBearer' },
    { id: 'signature', verify: 'verifySignature' },
    { id: 'signature', isCallback: true, verify: 'verifySignature' },
    { id: 'bodySignature', verify: 'verifyBodySignature' },
    // What these need is not in the contract: a receiver has a secret until somebody writes it, and says so.
    { id: 'mutualTLS', verify: shared, says: 'states the client certificate mutualTLS' },
    { id: 'oauth2', verify: shared, says: 'states for deliveries: oauth2 (an access token of' },
    { id: 'openIdConnect', verify: shared, says: 'states for deliveries: openIdConnect (a token' },
    { id: '', verify: shared, says: 'states that nothing in a delivery authenticates it' },
  ])(
    '$id, a callback: $isCallback, is verified by $verify',
    async ({ id, isCallback = false, verify, says = 'as the contract states' }) => {
      const own = `security: [${id === '' ? '' : `{ ${id}: [] }`}], `;
      const root = id === 'header' ? '{ bearer: [] }' : '{ header: [] }';
      const { code, out, error, folder, tree } = await init({
        'openapi.yaml': shopDocument({ root, own, isCallback }),
      });
      expect(code, error).toBe(0);
      expect(out).toContain(says);
      expect(error.includes('unready-authentication')).toBe(out.includes('states for deliveries'));
      expect(error).not.toContain('unstated-authentication');
      const headers: Readonly<Record<string, string>> = {
        verifyHeader: 'X-Key',
        sharedSecret: 'x-webhook-secret',
      };
      await expectVerified(folder, tree, verify, headers[verify]);
    },
  );

  test.each([
    [
      'a server that notifications use',
      ", security: [{ $ref: '#/components/securitySchemes/key' }]",
      '',
    ],
    ['an operation', '', ", security: [{ $ref: '#/components/securitySchemes/key' }]"],
  ])('of AsyncAPI, at %s', async (_, server, operation) => {
    const { code, error, folder, tree } = await init(
      {
        'asyncapi.yaml': `asyncapi: 3.0.0
info: { title: Shop, version: 1.0.0 }
servers: { api: { host: shop.example, protocol: https${server} } }
channels: { told: { address: /told, messages: { paid: { payload: { type: object }, examples: [{ payload: { id: p-1 } }] } } } }
operations: { tell: { action: send, channel: { $ref: '#/channels/told' }${operation} } }
components: { securitySchemes: { key: { type: httpApiKey, in: header, name: X-Key } } }
`,
      },
      '--perspective',
      'service',
    );
    expect(code, error).toBe(0);
    await expectVerified(folder, tree, 'verifyKey', 'X-Key');
  });
});

/**
 * Expects that `send` and `simulate` carry what is verified, and that nothing else is accepted.
 * @param header the header with the secret, if an option of the commands has it
 */
async function expectVerified(
  folder: string,
  tree: Tree,
  verify: string,
  header?: string,
): Promise<void> {
  const secret = 'user:password';
  const written = tree['webhooks.ts'] ?? '';
  expect(written).toContain(`authenticate: ${verify}(`);
  const parameters = [
    ...(verify === 'sharedSecret' ? [{ header: 'x-webhook-secret' }] : []),
    written.includes(`${verify}({ keys:`) ? { keys: [secret] } : secret,
  ];
  const { url, handled } = await receive(folder, ['paid'], verify, parameters);
  const carry = async (...words: readonly string[]): Promise<readonly (number | null)[]> => {
    const environment = { WEBHOOK_SECRET: secret };
    const sent = await runInProcess(folder, ['send', 'paid', '--to', url, ...words], environment);
    const simulated = await runInProcess(
      folder,
      ['simulate', '--to', url, '--deliveries', '1', '--no-console', ...words],
      environment,
    );
    return [sent.code, simulated.code];
  };
  if (header !== undefined) {
    // Nothing carries a secret that the contract does not state, and an option has that of a header.
    expect(await carry()).toEqual([1, 1]);
    expect(handled).toEqual([]);
  }
  const words =
    header === undefined ? [] : ['--header-env', `${header}=WEBHOOK_SECRET`, '--no-signature'];
  expect(await carry(...words)).toEqual([0, 0]);
  const without = await fetch(url, {
    method: 'POST',
    body: '{"id":"p-1"}',
    headers: { 'content-type': 'application/json' },
  });
  expect(without.status).toBe(401);
  expect(handled).toHaveLength(2);
}

describe('parameters of the query and cookies that a notification declares', () => {
  const declares = (place: string, name: string): Tree => ({
    'openapi.yaml': shopDocument({
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

describe('a contract that states a proof of some notifications', () => {
  /** A second notification beside `paid`, whose type distinguishes it. */
  const partly = (paid: string, sent: string): string => {
    const text = shopDocument({ own: paid });
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
      { 'openapi.yaml': shopDocument({ own }) },
      '--signature',
      'stated',
    );
    expect({ code, error }).toMatchObject({ code: 2, error: expect.stringContaining(sentence) });
  });
});

test.each([
  ['', '1 call seems to return one page of a list, and does not state how it goes on'],
  ['x-pagination: { items: $response.body, nextLink: $response.header.link }', ''],
])('a statement about lists is proposed, and not written: %s', async (statement, note) => {
  const list = `{ type: array, items: { type: object } }`;
  const folder = await temporaryFolder();
  await writeTree(folder, {
    'openapi.yaml': `openapi: 3.1.1
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      ${statement}
      responses:
        '200':
          description: A page.
          headers: { Link: { schema: { type: string } } }
          content: { application/json: { schema: ${list} } }
`,
  });
  const options = ['--contract', 'openapi.yaml', '--layout', 'folder', '--yes'];
  const { code, out, error } = await runInProcess(folder, ['init', ...options]);
  expect(code, error).toBe(0);
  const proposal =
    'such as listOrders: `x-pagination: { items: $response.body, nextLink: $response.header.link }`';
  expect(out.includes(proposal)).toBe(note !== '');
  expect(out).toContain(note);
  expect(await readdir(folder)).not.toContain('overlays');
});
