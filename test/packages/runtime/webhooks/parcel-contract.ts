import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InboxWorker } from '@countersign/runtime/inbox';
import type { Deviations } from '../../../../packages/runtime/webhooks/deviations.ts';
import { readAsyncapi } from '../../../targets/client/emit-client.ts';
import { generateWebhooks } from '../../../targets/webhooks/emit-webhooks.ts';
import type { WebhooksModule } from './generated-webhooks.ts';

/** The receiver of a contract about parcels, with its worker and its entry `deviations`. */
export interface Parcels extends AsyncDisposable {
  readonly main: WebhooksModule;
  readonly handOver: (handlers: object) => Deviations;
  readonly createWorker: (options: object) => InboxWorker;
}

/** Generates a contract with an order key, an identity, an array form, a union, closed objects and numbers as texts. */
export async function generateParcels(): Promise<Parcels> {
  const generated = await generateWebhooks(await readAsyncapi(contract));
  const entry = async (name: string): Promise<unknown> =>
    await import(pathToFileURL(join(generated.webhooks, `src/${name}.ts`)).href);
  const { handOver } = (await entry('deviations')) as Pick<Parcels, 'handOver'>;
  const { createWorker } = (await entry('worker')) as Pick<Parcels, 'createWorker'>;
  return {
    main: (await entry('index')) as WebhooksModule,
    handOver,
    createWorker,
    [Symbol.asyncDispose]: () => generated[Symbol.asyncDispose](),
  };
}

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = [], more = {}): object => ({
  type: 'object',
  properties,
  required,
  ...more,
});

const parcel = object(
  {
    id: text,
    route: text,
    label: text,
    weight: { type: 'number' },
    price: {
      type: 'number',
      'x-variants': { text: { schema: { type: 'string' }, as: 'number' } },
    },
    fee: { type: 'string', pattern: String.raw`^\d{1,10}\.\d{2}$` },
    toll: { type: 'string', format: 'decimal', maxLength: 8 },
    phone: { type: 'string', pattern: String.raw`^\d{11}$` },
    receipt: object({ paid: { $ref: '#/components/schemas/Fee' }, note: text }, ['paid', 'note']),
    address: object({ street: text, floor: { type: 'integer' } }, ['street']),
    sender: { anyOf: [object({ name: text }, ['name']), { type: 'null' }] },
    size: { oneOf: [object({ cm: { type: 'number' } }, ['cm']), text] },
    tags: { type: 'array', items: text },
    sums: { type: 'array', items: { type: 'integer' } },
    anything: {},
    box: object({ name: text }, [], { additionalProperties: false }),
    ['a/b~"c']: text,
  },
  ['id', 'route', 'label', 'weight'],
);

const moved = object({ type: text, Parcel: parcel }, ['type', 'Parcel'], {
  'x-variants': {
    list: {
      when: { '$request.body#/parcels': { type: 'array' } },
      each: '/parcels',
      as: '/Parcel',
      rename: { caption: 'label' },
    },
  },
});

const twin = object({ type: text, note: text, count: { type: 'integer' } }, ['type', 'note']);

const kinds = [
  { name: 'parcelMoved', type: 'moved', payload: moved, id: 'Parcel/id', order: 'Parcel/route' },
  { name: 'parcelHeld', type: 'twin', payload: twin },
  {
    name: 'parcelKept',
    type: 'twin',
    payload: object({ type: text, note: text, reason: text }, ['type', 'note']),
  },
];

const contract = {
  asyncapi: '3.1.0',
  info: { title: 'Parcels', version: '1.0.0', 'x-countersign': 1 },
  channels: {
    parcels: {
      address: '/parcels',
      messages: Object.fromEntries(
        kinds.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
      ),
    },
  },
  operations: {
    report: {
      action: 'send',
      channel: { $ref: '#/channels/parcels' },
      bindings: { http: { method: 'POST' } },
    },
  },
  components: {
    schemas: { Fee: { type: 'string', pattern: String.raw`^-?\d+(?:[.,]\d{2})?$` } },
    messages: Object.fromEntries(
      kinds.map(({ name, type, payload, id, order }) => [
        name,
        {
          contentType: 'application/json',
          'x-identified-by': { '$request.body#/type': { const: type } },
          ...(id !== undefined && { 'x-dedupe-by': [`$request.body#/${id}`] }),
          ...(order !== undefined && { 'x-ordered-by': [`$request.body#/${order}`] }),
          payload,
        },
      ]),
    ),
  },
};
