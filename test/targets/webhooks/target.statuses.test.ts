import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toNodeHandler } from '../../../packages/runtime/webhooks/node.ts';
import type { Receive } from '../../../packages/runtime/webhooks/receiver.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { listenForTest } from '../../packages/simulator/send/listen.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

/** Returns a webhook whose deliveries have the kind in `k`. */
function webhook(k: string, responses: object): object {
  return {
    post: {
      security: [],
      'x-dedupe-by': ['$request.body#/id'],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['k'], properties: { k: { const: k } } },
          },
        },
      },
      responses,
    },
  };
}

const text = { 'text/plain': { schema: { const: 'OK' } } };

const contract = {
  openapi: '3.1.1',
  info: { title: 'Statuses', version: '1.0.0', 'x-countersign': 1 },
  webhooks: {
    accepted: webhook('accepted', { 202: { description: 'Accepted' } }),
    empty: webhook('empty', { 204: { description: 'None', content: text } }),
    created: webhook('created', { 201: { description: 'Created', content: text } }),
    plain: webhook('plain', { 200: { description: 'Done' }, 410: { description: 'Stop' } }),
    several: webhook('several', {
      204: { description: 'None' },
      202: { description: 'Accepted' },
      '2XX': { description: 'Any' },
    }),
    stated: webhook('stated', {
      200: { description: 'Done' },
      202: { description: 'Accepted', content: text },
    }),
    range: webhook('range', { '2XX': { description: 'Any' } }),
    rest: webhook('rest', { default: { description: 'Any', content: text } }),
  },
};

type Module = Pick<WebhooksModule, 'unauthenticated'> & {
  createWebhooks(options: object): {
    readonly fetch: (request: Request) => Promise<Response>;
    readonly receive: Receive;
  };
};

const { openapi, json } = {
  openapi: async (document: object): Promise<Parameters<typeof generateWebhooks>[0]> =>
    (await lowerFiles({ 'openapi.yaml': JSON.stringify(document) })).contract,
  json: { 'content-type': 'application/json' },
};

async function load(generated: GeneratedWebhooks): Promise<Module> {
  return (await import(pathToFileURL(join(generated.webhooks, 'src/index.ts')).href)) as Module;
}

let generated: GeneratedWebhooks;
let webhooks: Module;

beforeAll(async () => {
  generated = await generateWebhooks(await openapi(contract));
  webhooks = await load(generated);
});
afterAll(() => generated[Symbol.asyncDispose]());

function create(module: Module, options: object = {}): ReturnType<Module['createWebhooks']> {
  return module.createWebhooks({
    authenticate: module.unauthenticated(),
    ...('inbox' in options
      ? {}
      : { on: {}, otherwise: { rest: () => undefined }, onInvalid: () => 'accept' }),
    ...options,
  });
}

/** Delivers a body and returns the status and the text of the response. */
async function deliver(
  fetch: (request: Request) => Promise<Response>,
  body: object,
): Promise<readonly [number, string]> {
  const request = { method: 'POST', headers: json, body: JSON.stringify(body) };
  const response = await fetch(new Request('http://127.0.0.1/', request));
  return [response.status, await response.text()];
}

test('the generated code compiles under every flag', async () => {
  const options = {
    compiler: 'ts7',
    resolution: 'nodenext',
    from: 'source',
    withRuntimes: true,
  } as const;
  const compiling = compileStrictly(generated.project, ['contract/src', 'webhooks/src'], options);
  await expect(compiling).resolves.toBeUndefined();
});

describe('a notification is accepted with the status that its contract states', () => {
  test.each([
    ['accepted', 202, ''],
    ['empty', 204, ''],
    ['created', 201, 'OK'],
    ['plain', 200, ''],
    ['several', 202, ''],
    ['stated', 202, 'OK'],
    ['range', 200, ''],
    ['rest', 200, 'OK'],
  ])('%s: %d', async (k, status, body) => {
    const { fetch } = create(webhooks);
    const delivery = { k, id: k };
    expect(await deliver(fetch, delivery)).toEqual([status, body]);
    // The repetition is answered in the same way.
    expect(await deliver(fetch, delivery)).toEqual([status, body]);
  });

  test('an inbox acknowledges with the same', async () => {
    const inbox = { receive: () => Promise.resolve({ status: 'stored' }) };
    const { fetch } = create(webhooks, { inbox });
    expect(await deliver(fetch, { k: 'accepted' })).toEqual([202, '']);
    expect(await deliver(fetch, { k: 'empty' })).toEqual([204, '']);
    expect(await deliver(fetch, { k: 'unknown' })).toEqual([200, '']);
  });

  test('a server of Node sends no length with 204', async () => {
    const { receive } = create(webhooks);
    const url = await listenForTest(toNodeHandler(receive));
    const response = await fetch(url, { method: 'POST', body: '{"k":"empty"}', headers: json });
    expect(response.status).toBe(204);
    expect(response.headers.get('content-length')).toBeNull();
  });

  test('what is of no kind gets the status that all kinds have', async () => {
    const { accepted } = contract.webhooks;
    await using other = await generateWebhooks(
      await openapi({ ...contract, webhooks: { accepted, again: webhook('again', { 202: {} }) } }),
    );
    const { fetch } = create(await load(other));
    expect(await deliver(fetch, { k: 'unknown' })).toEqual([202, '']);
  });
});

describe('the application chooses among the statuses of the contract', () => {
  test('for a kind, also for what an inbox stores', async () => {
    const statuses = { several: 204, stated: 200 };
    const { fetch } = create(webhooks, { statuses });
    expect(await deliver(fetch, { k: 'several' })).toEqual([204, '']);
    expect(await deliver(fetch, { k: 'stated' })).toEqual([200, '']);
    const inbox = { receive: () => Promise.resolve({ status: 'duplicate' }) };
    const storing = create(webhooks, { statuses, inbox });
    expect(await deliver(storing.fetch, { k: 'several' })).toEqual([204, '']);
  });

  test('for what is of no kind, if all kinds have the chosen one', async () => {
    const { several } = contract.webhooks;
    await using other = await generateWebhooks(
      await openapi({ ...contract, webhooks: { several } }),
    );
    const module = await load(other);
    const chosen = create(module, { statuses: { several: 204 } });
    expect(await deliver(chosen.fetch, {})).toEqual([204, '']);
    expect(await deliver(create(module).fetch, {})).toEqual([202, '']);
  });

  test('the option `responses` takes precedence', async () => {
    const responses = { handled: 299 };
    const { fetch } = create(webhooks, { responses, statuses: { several: 204 } });
    expect(await deliver(fetch, { k: 'several', id: 1 })).toEqual([299, '']);
    expect(await deliver(fetch, { k: 'several', id: 1 })).toEqual([204, '']);
  });

  test.each([{ several: 418 }, { accepted: 200 }, { other: 200 }])(
    'a status that the contract does not state is refused: %j',
    (statuses) => {
      expect(() => create(webhooks, { statuses })).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      );
    },
  );
});

test('a message of AsyncAPI is accepted with the status that its reply binds', async () => {
  const message = (k: string, statusCode: number): object => ({
    action: 'send',
    channel: { $ref: `#/channels/${k}` },
    messages: [{ $ref: `#/channels/${k}/messages/${k}` }],
    reply: {
      channel: { $ref: `#/channels/${k}` },
      messages: [{ $ref: `#/channels/${k}/messages/reply` }],
    },
    bindings: { http: { method: 'POST' } },
    'x-status': statusCode,
  });
  const channel = (k: string, statusCode: number): object => ({
    address: `/${k}`,
    messages: {
      [k]: { payload: { type: 'object', required: ['k'], properties: { k: { const: k } } } },
      reply: {
        contentType: 'text/plain',
        payload: { const: 'OK' },
        bindings: { http: { statusCode, bindingVersion: '0.3.0' } },
      },
    },
  });
  const { contract: lowered } = await lowerFiles({
    'asyncapi.yaml': JSON.stringify({
      asyncapi: '3.0.0',
      info: { title: 'Replies', version: '1.0.0' },
      servers: { main: { host: 'example.com', protocol: 'https' } },
      channels: { created: channel('created', 201), empty: channel('empty', 204) },
      operations: { created: message('created', 201), empty: message('empty', 204) },
    }),
  });
  await using replies = await generateWebhooks(lowered);
  const { fetch } = create(await load(replies));
  expect(await deliver(fetch, { k: 'created' })).toEqual([201, 'OK']);
  expect(await deliver(fetch, { k: 'empty' })).toEqual([204, '']);
});
