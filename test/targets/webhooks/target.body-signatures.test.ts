import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredDelivery } from '../../../packages/runtime/webhooks/receiver.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { readOpenapi } from '../client/emit-client.ts';
import { webhooksTarget } from '../../../generator/targets/webhooks/target.ts';
import { emitFiles } from '../emit-project.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

const order = {
  type: 'object',
  required: ['id', 'amount', 'seal'],
  properties: {
    id: { type: 'string' },
    amount: { type: 'number' },
    paid: { type: 'boolean' },
    ref: { type: ['string', 'null'] },
    note: { type: 'string' },
    seal: { type: 'string' },
  },
};
const list = { list: { when: { '$request.body#/items': { type: 'array' } }, each: '/items' } };

/** A contract whose orders have a signature in the body, or one for each element of a list. */
function orders(isList: boolean): object {
  return {
    openapi: '3.1.1',
    info: { title: 'Orders', version: '1.0.0', 'x-countersign': 1 },
    webhooks: {
      orderPaid: {
        post: {
          security: [{ seal: [] }],
          'x-dedupe-by': ['$request.body#/id', '$request.body#/amount', '$request.body#/ref'],
          'x-ordered-by': ['$request.body#/id'],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          responses: { 200: { description: 'Taken.' } },
        },
      },
    },
    components: {
      schemas: { Order: { ...order, ...(isList ? { 'x-variants': list } : {}) } },
      securitySchemes: {
        seal: {
          type: 'apiKey',
          in: 'header',
          name: 'none',
          'x-body-signature': {
            algorithm: 'hmac-sha256',
            key: { credential: 'secret', encoding: 'utf-8' },
            ...(isList ? { each: '/items' } : {}),
            over: ['/id', '/amount', '/paid', '/ref'],
            separator: ':',
            encoding: 'hex',
            signature: '/seal',
          },
        },
      },
    },
  };
}

const kindHeader = {
  parameters: [{ name: 'X-Kind', in: 'header', required: true, schema: { type: 'string' } }],
};

const sealOf = (text: string): string => createHmac('sha256', 'secret').update(text).digest('hex');

interface Module extends WebhooksModule {
  verifySeal(options: { readonly keys: readonly string[] }): unknown;
}

/** A generated receiver, with what reached its handler. */
interface Receiver {
  readonly send: (body: string) => Promise<number>;
  readonly handled: unknown[];
  readonly stored: StoredDelivery[];
}

const generated: GeneratedWebhooks[] = [];
const modules = new Map<boolean, Module>();

beforeAll(async () => {
  for (const isList of [false, true]) {
    const project = await generateWebhooks(await readOpenapi(orders(isList)));
    generated.push(project);
    const index = pathToFileURL(join(project.webhooks, 'src/index.ts')).href;
    modules.set(isList, (await import(index)) as Module);
  }
});
afterAll(async () => {
  for (const project of generated) await project[Symbol.asyncDispose]();
});

function createReceiver(
  isList: boolean,
  { numbers, hasInbox = false }: { readonly numbers?: 'text'; readonly hasInbox?: boolean } = {},
): Receiver {
  const module = modules.get(isList);
  if (module === undefined) throw new Error('The receiver is not generated.');
  const handled: unknown[] = [];
  const stored: StoredDelivery[] = [];
  const authenticate = module.verifySeal({ keys: ['secret'] });
  const receive = (delivery: StoredDelivery): { readonly status: 'stored' } => {
    stored.push(delivery);
    return { status: 'stored' };
  };
  const { fetch } = module.createWebhooks(
    hasInbox
      ? { authenticate, inbox: { receive } }
      : {
          authenticate,
          ...(numbers && { numbers }),
          on: { orderPaid: ({ data }: { readonly data: unknown }) => void handled.push(data) },
          otherwise: (event: unknown) => void handled.push(event),
          onInvalid: () => undefined,
        },
  );
  const send = async (body: string): Promise<number> =>
    (await fetch(new Request('http://127.0.0.1/', { method: 'POST', body }))).status;
  return { send, handled, stored };
}

test('events name the members that are signed, and say that their kind is not', async () => {
  const contract = orders(true) as { webhooks: object };
  const paid = { ...Object(contract.webhooks).orderPaid.post };
  const byHeader = (kind: string): object => ({
    post: {
      ...paid,
      'x-identified-by': { '$request.header.x-kind': { const: kind } },
      ...kindHeader,
    },
  });
  const webhooks = { orderPaid: byHeader('paid'), orderRefunded: byHeader('refunded') };
  const files = await emitFiles(webhooksTarget, await readOpenapi({ ...contract, webhooks }));
  const events = files.get('webhooks/src/events.ts')?.replaceAll(/\s+\*?\s*/gu, ' ');
  expect(events).toContain('The signature covers `id`, `amount`, `paid`, `ref` of the data.');
  expect(events).toContain('The signature does not cover what decides the kind');
  const single = await emitFiles(webhooksTarget, await readOpenapi(orders(true)));
  expect(single.get('webhooks/src/events.ts')).not.toContain('decides the kind');
});

describe('a signature in the body', () => {
  const seal = sealOf('a:100::');

  test.each([
    ['100', 200],
    ['100.0', 200],
    ['1e2', 200],
    ['100.000000000000000000000000001', 401],
    ['"100"', 422],
    ['101', 401],
  ])(
    'lets the handler get the amount that was signed as 100, and not %s',
    async (amount, status) => {
      const { send, handled } = createReceiver(false, { numbers: 'text' });
      expect(await send(`{"id":"a","amount":${amount},"seal":"${seal}"}`)).toBe(status);
      expect(handled.map((data) => Object(data).amount)).toEqual(status === 200 ? [100] : []);
    },
  );

  test('keeps all digits that were signed', async () => {
    const { send, handled } = createReceiver(false, { numbers: 'text' });
    const amount = '9007199254740993';
    const exact = sealOf(`a:${amount}::`);
    expect(await send(`{"id":"a","amount":${amount},"seal":"${exact}"}`)).toBe(200);
    expect(handled).toMatchObject([{ amount }]);
  });

  test('is of one event, however its members without a text are written', async () => {
    const { send, handled } = createReceiver(false);
    for (const ref of ['', ',"ref":""', ',"ref":null', ',"ref":"","paid":null'])
      expect(await send(`{"id":"a","amount":100${ref},"seal":"${seal}"}`)).toBe(200);
    expect(handled).toEqual([{ id: 'a', amount: 100, seal }]);
  });

  test('is not made invalid by others so that the order is held, or the valid delivery is a duplicate', async () => {
    const { send, stored } = createReceiver(false, { hasInbox: true });
    const invalid = `{"id":"a","amount":100,"note":1,"seal":"${seal}"}`;
    for (const body of [invalid, invalid, `{"id":"a","amount":100,"seal":"${seal}"}`])
      expect(await send(body)).toBe(200);
    const [first, second, valid] = stored.map(({ events }) => events[0]);
    expect(first?.orderKey).toBeUndefined();
    expect(first?.identity).toBeDefined();
    expect(second?.identity).toBe(first?.identity);
    expect(valid?.orderKey).toBe('@trade/webhooks:orders a');
    expect(valid?.identity).not.toBe(first?.identity);
  });
});

describe('a signature of each element of a list', () => {
  const seal = sealOf('a:100::');
  const element = `{"id":"a","amount":100,"seal":"${seal}"}`;

  test('lets handlers get the elements', async () => {
    const { send, handled } = createReceiver(true);
    expect(await send(`{"items":[${element}]}`)).toBe(200);
    expect(handled).toEqual([{ id: 'a', amount: 100, seal }]);
  });

  test('does not authenticate what is beside the list', async () => {
    const { send, handled } = createReceiver(true);
    // The receiver would take the body for one order if `items` were no array.
    const forged = `{"id":"b","amount":1,"seal":"x","items":{"0":${element},"length":1}}`;
    expect(await send(forged)).toBe(401);
    expect(await send(`{"ref":"forged","items":[${element}]}`)).toBe(422);
    expect(await send(`{"id":"b","items":[{"amount":100,"seal":"${sealOf(':100::')}"}]}`)).toBe(
      422,
    );
    expect(handled).toEqual([]);
    expect(await send(`{"note":"beside","items":[${element}]}`)).toBe(200);
    expect(handled).toMatchObject([{ id: 'a', amount: 100 }]);
  });
});
