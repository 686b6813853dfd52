import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../generator/json/json.ts';
import { lowerFiles, openapiWith, type ContractTexts } from '../../contract/lower/lower-files.ts';
import type { WebhooksModule } from '../../packages/runtime/webhooks/generated-webhooks.ts';
import { generateWebhooks, type GeneratedWebhooks } from './emit-webhooks.ts';

const asyncapi = `asyncapi: 3.0.0
info: { title: Parcels, version: 1.0.0, x-countersign: 1 }
channels:
  parcels:
    messages:
      moved:
        payload: { $ref: '#/components/schemas/Parcel' }
        x-identified-by: { $request.body#/parcel: { type: object }, $request.body#/parcel/receiver: false }
        examples: [{ name: 'null', payload: { parcel: { id: a, state: ~, receiver: ~ } } }]
      received:
        payload: { $ref: '#/components/schemas/Parcel' }
        x-identified-by: { $request.body#/parcel/receiver: {} }
      trip:
        payload: { $ref: '#/components/schemas/Trip' }
        x-identified-by: { $request.body#/stops: { type: array } }
operations:
  send: { action: send, channel: { $ref: '#/channels/parcels' } }
components:
  schemas:
    Parcel:
      type: object
      required: [parcel]
      properties: { parcel: { $ref: '#/components/schemas/Details' } }
      x-variants:
        list:
          when: { $request.body#/parcels: { type: array } }
          each: /parcels
          as: /parcel
          rename: { ID: id }
    Details:
      allOf: [{ $ref: '#/components/schemas/Addressed' }]
      type: object
      required: [id, state]
      properties: { id: { type: string }, state: { type: [string, 'null'] } }
    Addressed:
      type: object
      properties:
        receiver:
          allOf: [{ $ref: '#/components/schemas/Person' }]
          x-variants: { 'null': { schema: { type: 'null' }, as: absent } }
    Person:
      type: object
      required: [name]
      properties:
        name: { type: string }
        title: { type: string, minLength: 1, x-variants: { none: { schema: { enum: ['', false] }, as: absent } } }
    Trip:
      type: object
      required: [stops]
      properties:
        receiver: { type: [string, 'null'] }
        stops: { type: array, items: { $ref: '#/components/schemas/Stop' } }
    Stop:
      type: object
      properties:
        at: { type: string, x-variants: { 'null': { schema: { const: ~ }, as: absent } } }
        next: { $ref: '#/components/schemas/Stop' }
`;

let generated: GeneratedWebhooks;
let webhooks: WebhooksModule;
let contract: Readonly<Record<string, (value: unknown) => boolean>>;

beforeAll(async () => {
  const lowered = await lowerFiles({ 'asyncapi.yaml': asyncapi });
  expect(lowered.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  generated = await generateWebhooks(lowered.contract);
  const load = async (path: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.project, path)).href);
  webhooks = (await load('webhooks/src/index.ts')) as WebhooksModule;
  contract = (await load('contract/src/index.ts')) as typeof contract;
});
afterAll(() => generated[Symbol.asyncDispose]());

async function receive(body: Json, options: object = {}): Promise<unknown> {
  const seen: unknown[] = [];
  const { fetch } = webhooks.createWebhooks({
    authenticate: webhooks.unauthenticated(),
    on: {},
    otherwise: {
      rest: ({ kind, data }: { kind: string | null; data: unknown }) =>
        void seen.push([kind, data]),
    },
    onInvalid: ({ violations }: { violations: readonly { pointer: string }[] }) =>
      void seen.push(violations.map(({ pointer }) => pointer)),
    ...options,
  });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { status } = await fetch(new Request('http://127.0.0.1/', { method: 'POST', body: text }));
  return [status, ...seen];
}

describe('a member that may carry another value on the wire', () => {
  const ann = { name: 'Ann' };
  test.each<readonly [string, Json, unknown]>([
    [
      'missing',
      { parcel: { id: 'a', state: null } },
      ['moved', { parcel: { id: 'a', state: null } }],
    ],
    [
      'null',
      { parcel: { receiver: null, id: 'a', state: null }, more: null },
      ['moved', { parcel: { id: 'a', state: null }, more: null }],
    ],
    [
      'there',
      { parcel: { id: 'a', state: 'x', receiver: ann } },
      ['received', { parcel: { id: 'a', state: 'x', receiver: ann } }],
    ],
    [
      'empty, inside another',
      { parcel: { id: 'a', state: 'x', receiver: { ...ann, title: '' } } },
      ['received', { parcel: { id: 'a', state: 'x', receiver: ann } }],
    ],
    [
      'in a list that contains itself',
      { stops: [{ at: null, next: { at: null, next: { at: 'b' } } }, { at: 'a' }], receiver: null },
      ['trip', { stops: [{ next: { next: { at: 'b' } } }, { at: 'a' }], receiver: null }],
    ],
  ])('is normalized where it is %s', async (_what, body, event) => {
    expect(await receive(body)).toEqual([200, event]);
  });

  test('is normalized in another wire variant', async () => {
    const parcels = [
      { ID: 'a', state: null, receiver: null },
      { ID: 'b', state: null, receiver: { ...ann, title: false } },
    ];
    expect(await receive({ parcels })).toEqual([
      200,
      ['moved', { parcel: { id: 'a', state: null } }],
      ['received', { parcel: { id: 'b', state: null, receiver: ann } }],
    ]);
  });

  test.each<readonly [string, Json, string]>([
    ['another value', { parcel: { id: 'a', state: null, receiver: 1 } }, '/parcel/receiver'],
    ['null for another member', { parcel: { id: null, state: null } }, '/parcel/id'],
    ['null in the list', { parcels: [{ ID: null, state: null }] }, '/parcels/0/ID'],
  ])('refuses %s', async (_what, body, pointer) => {
    const [status, pointers] = (await receive(body)) as [number, readonly string[]];
    expect([status, pointers]).toEqual([422, expect.arrayContaining([pointer])]);
  });

  test('keeps the exact text of numbers', async () => {
    const body = '{"parcel":{"id":"a","state":null,"receiver":null,"extra":9007199254740993}}';
    expect(await receive(body, { numbers: 'text' })).toEqual([
      200,
      ['moved', { parcel: { id: 'a', state: null, extra: '9007199254740993' } }],
    ]);
  });

  test('has guards for the normal form, and for what travels', () => {
    const is = (type: string, value: Json): boolean | undefined => contract[`is${type}`]?.(value);
    const travelling = { parcel: { id: 'a', state: null, receiver: null } };
    const normal = { parcel: { id: 'a', state: null } };
    expect([is('Parcel', travelling), is('Parcel', normal)]).toEqual([false, true]);
    expect([is('ParcelWire', travelling), is('ParcelWire', normal)]).toEqual([true, true]);
    expect([
      is('DetailsWire', travelling.parcel),
      is('TripWire', { stops: [{ at: null }] }),
    ]).toEqual([true, true]);
  });
});

describe('is reported:', () => {
  const absent = "x-variants: { none: { schema: { type: 'null' }, as: absent } }";
  test.each<readonly [string, string]>([
    ['a required member', `A: { type: object, required: [a], properties: { a: { ${absent} } } }`],
    [
      'a member that another part requires',
      `A:\n  allOf: [{ properties: { a: { ${absent} } } }, { required: [a] }]`,
    ],
    ['a whole schema', `A: { type: object, ${absent} }`],
    ['a member of one alternative', `A: { oneOf: [{ properties: { a: { ${absent} } } }] }`],
    ['a member of a map', `A: { additionalProperties: { ${absent} } }`],
    [
      'a wire format on a member',
      'A: { properties: { a: { type: object, x-variants: { b: { when: { $request.body#/c: {} } } } } } }',
    ],
  ])('%s', async (_what, schemas) => {
    const texts: ContractTexts = { 'openapi.yaml': openapiWith(schemas) };
    const { diagnostics } = await lowerFiles(texts);
    expect(diagnostics.map(({ code }) => code)).toContain('invalid-variant');
  });
});
