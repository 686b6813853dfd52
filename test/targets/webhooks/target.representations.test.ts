import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredDelivery } from '../../../packages/runtime/webhooks/receiver.ts';
import { createDispatcher } from '../../../packages/runtime/webhooks/stored-events.ts';
import { attemptOf } from '../../packages/runtime/webhooks/attempt-of.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { compileStrictly } from '../strict-compile.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { toCatalogueOf } from './to-catalogue.ts';

const form = 'application/x-www-form-urlencoded';
const sms = { $ref: '#/components/schemas/Sms' };
const object = (properties: object, required = Object.keys(properties)): object => ({
  type: 'object',
  required,
  properties,
});
const webhook = (content: object): object => ({
  post: {
    security: [],
    requestBody: {
      required: true,
      content: Object.fromEntries(
        Object.entries(content).map(([type, schema]) => [type, { schema }]),
      ),
    },
    responses: { 200: { description: 'Done' } },
  },
});

const contract = {
  openapi: '3.1.1',
  info: { title: 'Representations', version: '1.0.0' },
  webhooks: {
    sms: webhook({ [form]: sms, 'application/json': sms }),
    // Each representation has its own schema.
    paid: webhook({
      'application/json': object({ kind: { const: 'paid' }, amount: { type: 'object' } }),
      [form]: object({ kind: { const: 'paid' }, total: { type: 'integer' } }),
    }),
    sent: webhook({
      'application/vnd.acme+json;version=1': object({
        kind: { const: 'sent' },
        one: { type: 'integer' },
      }),
      'application/vnd.acme+json;version=2': object({
        kind: { const: 'sent' },
        two: { type: 'integer' },
      }),
      'text/xml': object({ kind: { const: 'sent' } }),
    }),
  },
  components: {
    schemas: {
      Sms: {
        type: 'object',
        required: ['kind', 'From', 'Body'],
        properties: {
          kind: { const: 'sms' },
          From: { type: 'string' },
          Body: { type: 'string' },
          NumMedia: { type: 'integer' },
        },
      },
    },
  },
};

let generated: GeneratedWebhooks;
let webhooks: WebhooksModule;
let diagnostics: readonly object[];

beforeAll(async () => {
  const lowered = await lowerFiles({ 'openapi.yaml': JSON.stringify(contract) });
  ({ diagnostics } = lowered);
  generated = await generateWebhooks(lowered.contract);
  webhooks = (await import(
    pathToFileURL(join(generated.webhooks, 'src/index.ts')).href
  )) as WebhooksModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** Delivers a body, and returns what the handlers got, or why they did not. */
async function deliver(type: string, body: string): Promise<unknown> {
  const seen: unknown[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: { rest: (event: { kind: string; data: object }) => seen.push(event) },
    onInvalid: ({ reason }: { readonly reason: string }) => void seen.push(reason),
  });
  await fetch(
    new Request('http://127.0.0.1/', { method: 'POST', headers: { 'content-type': type }, body }),
  );
  return seen[0];
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

describe('each representation is received by its schema', () => {
  test.each([
    [form, 'kind=sms&From=a&Body=b&NumMedia=2', 'sms', { From: 'a', NumMedia: 2 }],
    ['application/json', '{"kind":"sms","From":"a","Body":"b"}', 'sms', { From: 'a' }],
    // The bytes decide between JSON and a form, because a signature covers them.
    [form, '{"kind":"sms","From":"a","Body":"b"}', 'sms', { From: 'a' }],
    ['application/json', 'kind=sms&From=a&Body=b', 'sms', { From: 'a' }],
    ['application/json', '{"kind":"paid","amount":{}}', 'paid', { kind: 'paid', amount: {} }],
    [form, 'kind=paid&total=3', 'paid', { kind: 'paid', total: 3 }],
    [
      'application/vnd.acme+json; Version=1',
      '{"kind":"sent","one":1}',
      'sent',
      { kind: 'sent', one: 1 },
    ],
    [
      'application/vnd.acme+json; version="2"',
      '{"kind":"sent","two":1}',
      'sent',
      { kind: 'sent', two: 1 },
    ],
    ['application/json', '{"kind":"sent","two":1}', 'sent', { kind: 'sent', two: 1 }],
  ])('%s %s', async (type, body, kind, data) => {
    expect(await deliver(type, body)).toMatchObject({ kind, data });
  });

  test.each([
    ['application/json', '{"kind":"paid","total":3}'],
    [form, 'kind=paid&amount=3'],
    [form, 'kind=paid&total=x'],
    ['application/vnd.acme+json;version=1', '{"kind":"sent","two":1}'],
    ['application/vnd.acme+json;version=2', '{"kind":"sent","one":1}'],
  ])('and by no other: %s %s', async (type, body) => {
    expect(await deliver(type, body)).toBe('schema');
  });

  test('a worker judges a stored delivery by the same', async () => {
    const catalogue = await toCatalogueOf(generated);
    const stored: StoredDelivery[] = [];
    const { fetch } = webhooks.createWebhooks({
      authenticate: webhooks.unauthenticated(),
      inbox: {
        receive: (delivery: StoredDelivery) => {
          stored.push(delivery);
          return Promise.resolve({ status: 'stored' });
        },
      },
    });
    const type = 'application/vnd.acme+json;version=2';
    for (const body of ['{"kind":"sent","two":1}', '{"kind":"sent","one":1}'])
      await fetch(
        new Request('http://127.0.0.1/', {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        }),
      );
    expect(stored.map(({ verdict }) => verdict)).toEqual(['valid', 'invalid']);
    const seen: unknown[] = [];
    const handle = createDispatcher(catalogue, {
      on: {},
      otherwise: { rest: ({ data }: { readonly data: unknown }) => void seen.push(data) },
      onInvalid: ({ reason }: { readonly reason: string }) => {
        seen.push(reason);
        return 'accept';
      },
    } as never);
    for (const delivery of stored)
      await handle(
        {
          ...delivery,
          ...delivery.events[0],
          id: 'e',
          receiptId: 'r',
          position: 0,
          count: 1,
          receivedAt: 0,
        },
        attemptOf(1),
      );
    expect(seen).toEqual([{ kind: 'sent', two: 1 }, 'schema']);
  });
});

test('a representation that no receiver reads is reported', () => {
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: 'unread-body', message: expect.stringContaining('text/xml') }),
  );
});
