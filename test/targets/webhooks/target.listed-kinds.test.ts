import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InvalidDelivery } from '../../../packages/runtime/webhooks/receiver.ts';
import { createDispatcher } from '../../../packages/runtime/webhooks/stored-events.ts';
import { lowerFiles } from '../../contract/lower/lower-files.ts';
import { attemptOf } from '../../packages/runtime/webhooks/attempt-of.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';
import { toCatalogueOf } from './to-catalogue.ts';

/** Two kinds that are sent alone, and in lists of one wire variant. A list can have crates of both. */
const openapi = `openapi: 3.1.1
info: { title: Crates, version: 1.0.0, x-countersign: 1 }
webhooks:
  sent:
    post:
      x-identified-by: { $request.body#/returns: false }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Crate' } } } }
      responses: { '200': { description: Done } }
  returned:
    post:
      x-identified-by: { $request.body#/returns: { type: array } }
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/ReturnedCrate' } } } }
      responses: { '200': { description: Done } }
components:
  schemas:
    Crate:
      type: object
      required: [id, port]
      properties:
        id: { type: string }
        port: { type: string }
        seal: { type: string }
        returns: { type: array, items: { type: string } }
      x-variants: &list
        list: { when: { $request.body#/crates: { type: array } }, each: /crates }
    ReturnedCrate:
      allOf: [{ $ref: '#/components/schemas/Crate' }]
      required: [returns, reason]
      properties: { reason: { type: string } }
      x-variants: *list
`;

let generated: GeneratedWebhooks;
let webhooks: WebhooksModule;

beforeAll(async () => {
  const { contract, diagnostics } = await lowerFiles({ 'openapi.yaml': openapi });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  generated = await generateWebhooks(contract);
  const path = pathToFileURL(join(generated.webhooks, 'src/index.ts')).href;
  webhooks = (await import(path)) as WebhooksModule;
});
afterAll(() => generated[Symbol.asyncDispose]());

/** What a receiver says of an invalid delivery, and the kinds of the events that it handles. */
interface Received {
  readonly handled: readonly string[];
  readonly invalid?: readonly [
    reason: string,
    kinds: readonly string[],
    ...violations: readonly string[],
  ];
}

function describeInvalid({
  reason,
  kinds,
  violations,
}: InvalidDelivery): NonNullable<Received['invalid']> {
  return [reason, kinds, ...violations.map(({ pointer, message }) => `${pointer} ${message}`)];
}

async function receive(body: object): Promise<Received> {
  const handled: string[] = [];
  let invalid: Received['invalid'];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: { rest: ({ kind }: { readonly kind: string }) => handled.push(kind) },
    onInvalid: (delivery: InvalidDelivery) => {
      invalid = describeInvalid(delivery);
      return 'dispatch-valid';
    },
  });
  await fetch(
    new Request('http://127.0.0.1/', { method: 'POST', body: JSON.stringify(body), headers: {} }),
  );
  return { handled, ...(invalid && { invalid }) };
}

const sent = { id: 'C1', port: 'Lisboa' };
const returned = { ...sent, returns: ['lid'], reason: 'broken' };
const { port: _, ...unported } = sent;
const { reason: __, ...unreasoned } = returned;

describe('a list whose elements are of several kinds', () => {
  test.each<[title: string, crates: readonly object[], received: Received]>([
    ['valid, of one kind', [sent, sent], { handled: ['sent', 'sent'] }],
    ['valid, of two kinds', [sent, returned], { handled: ['sent', 'returned'] }],
    [
      'of one kind',
      [unported],
      {
        handled: [],
        invalid: ['schema', ['sent'], '/crates/0 must have the member "port"'],
      },
    ],
    [
      'of the other kind, which the schema of the first accepts',
      [unreasoned],
      {
        handled: [],
        invalid: ['schema', ['returned'], '/crates/0 must have the member "reason"'],
      },
    ],
    [
      'of two kinds, both invalid',
      [returned, { ...unported, seal: 1 }, sent, unreasoned],
      {
        handled: ['returned', 'sent'],
        invalid: [
          'schema',
          ['sent', 'returned'],
          '/crates/1 must have the member "port"',
          '/crates/1/seal must be of type string',
          '/crates/3 must have the member "reason"',
        ],
      },
    ],
    [
      'of no kind beside valid ones',
      [sent, { ...sent, returns: 'lid' }, returned],
      {
        handled: ['sent', 'returned'],
        invalid: [
          'schema',
          ['sent', 'returned'],
          '/crates/1/returns must be of type array',
          '/crates/1 must have the member "reason"',
        ],
      },
    ],
    [
      'that is a text',
      [sent, 'C2' as unknown as object],
      { handled: ['sent'], invalid: ['schema', ['sent'], '/crates/1 must be of type object'] },
    ],
  ])('%s', async (_title, crates, received) => {
    expect(await receive({ crates })).toEqual(received);
  });

  test('names as many violations as there is room for, all of its own kinds', async () => {
    const crates = [
      ...Array.from({ length: 150 }, () => returned),
      ...Array.from({ length: 150 }, () => unported),
    ];
    const { handled, invalid = [] } = await receive({ crates });
    expect(handled).toHaveLength(150);
    const [reason, kinds, ...violations] = invalid;
    expect([reason, kinds]).toEqual(['schema', ['sent', 'returned']]);
    expect(violations).toEqual(
      Array.from(
        { length: 100 },
        (__element, at) => `/crates/${150 + at} must have the member "port"`,
      ),
    );
  });

  test('tells a worker the same', async () => {
    const seen: unknown[] = [];
    const handle = createDispatcher(await toCatalogueOf(generated), {
      on: {},
      otherwise: { rest: () => undefined },
      onInvalid: (delivery) => void seen.push(describeInvalid(delivery)),
    });
    const stored = handle(
      {
        id: 'e',
        receiptId: 'r',
        position: 0,
        count: 1,
        receivedAt: 0,
        method: 'POST',
        target: '/',
        headers: [],
        body: new TextEncoder().encode(JSON.stringify({ crates: [unported, returned] })),
      },
      attemptOf(1),
    );
    const violation = { index: 0, keyword: 'required', pointer: '/crates/0' };
    await expect(stored).rejects.toMatchObject({ rejection: { violations: [violation] } });
    expect(seen).toEqual([
      ['schema', ['sent', 'returned'], '/crates/0 must have the member "port"'],
    ]);
  });
});
